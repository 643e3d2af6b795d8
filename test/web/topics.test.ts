import { expect, it } from 'vitest';
import type { Catalog } from '../../web/api/catalog.ts';
import type { FieldMeta } from '../../web/api/field.ts';
import { firstTopic } from '../../web/place/topics.ts';

const rule = { yes: true, matter: 'it is so', words: { yes: 'It is so', no: 'It is not' }, settled_by: 'a look' };
/** @param installed whether the release has data of it. @param verdict whether it decides something. */
const field = (name: string, installed: boolean, verdict: boolean): [string, FieldMeta] => [
  name,
  { name, installed, verdict: verdict ? rule : null, surfaces: ['fetch'], in_release: [] } as never,
];
const catalogOf = (...fields: readonly (readonly [string, FieldMeta])[]): Catalog => ({
  ...{ release: 'r', calculations: null, enrichPresets: [], filters: [] },
  presets: [
    { name: 'flood_risk', fields: ['zone'] },
    { name: 'terrain', fields: ['height', 'slope'] },
    { name: 'soil', fields: ['drainage'] },
  ],
  fields: new Map(fields),
});

it('the topic that is shown first is the one that most people want, where the release decides anything of it', () => {
  const all = [field('zone', true, true), field('slope', true, true), field('drainage', true, true)];
  expect(firstTopic(catalogOf(...all), 'flood_risk')).toBe('flood_risk');
});

it('the topic that is shown first is another where the release decides nothing of that one', () => {
  const rest = [field('height', true, false), field('slope', false, true), field('drainage', true, true)];
  for (const zone of [field('zone', false, true), field('zone', true, false)])
    expect(firstTopic(catalogOf(zone, ...rest), 'flood_risk')).toBe('soil');
});

it('the topic that is shown first is the one with most values where the release decides nothing at all', () => {
  const none = [field('zone', false, true), field('height', true, false), field('slope', true, false)];
  expect(firstTopic(catalogOf(...none), 'flood_risk')).toBe('terrain');
});
