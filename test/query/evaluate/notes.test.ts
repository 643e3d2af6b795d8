import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layerWords } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../release-fixture.ts';

const zones = dataset(
  'zones',
  {
    main: {
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      partition: 'national',
      columns: { zone: { type: 'string' }, kind: { type: 'string' }, height: { type: 'number' } },
    },
  },
  {
    zone: field('polygon_attr(zones, zone)', { type: 'string' }),
    kind: field('polygon_attr(zones, kind)', { type: 'string' }),
    height: field('polygon_attr(zones, height)'),
    wet: field("polygon_within(zones, where[zone = 'A'])", { type: 'boolean' }),
    within: field('polygon_within(zones)', { type: 'boolean' }),
    top: field('derived(expr[h + u], h=@height, u=polygon_attr(zones, height))'),
  },
);
const NOTE = 'What lies outside cannot be told.';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([zones], {
    zones: {
      main: [
        {
          features: [{ geometry: rectangle([0, 0, 1, 1]), zone: 'A', kind: 'k', height: null }],
          source: 'q3',
          unpublished: ['height'],
          notes: [
            { columns: ['zone'], text: NOTE },
            { columns: ['height'], text: 'No heights were drawn.' },
          ],
        },
      ],
    },
  });
});
afterAll(() => fixture.remove());

describe('a note on columns', () => {
  it('stands on values that are read from one of them, on conditions and on absence, and on nothing else', async () => {
    const inside = await fixture.ask(['zone', 'kind', 'wet', 'within'], { lng: 0.5, lat: 0.5 });
    expect(Object.values(inside).map(({ value, notes }) => [value, notes])).toEqual([
      ['A', NOTE],
      ['k', null],
      [true, NOTE],
      [true, null],
    ]);
    const outside = await fixture.ask(['zone', 'kind', 'within'], { lng: 5, lat: 5 });
    const none = 'None of the zones (q3) contains the point';
    expect(outside.zone).toMatchObject({ status: 'absent', notes: `${none}. ${NOTE}` });
    expect(outside.kind!.notes).toBe(none.replace('None', 'none'));
    expect(outside.within).toMatchObject({ value: false, notes: null });
  });

  it('explains why a copy lacks one, which names itself and not what it stands in for', async () => {
    const { height, top } = await fixture.ask(['height', 'top'], { lng: 0.5, lat: 0.5 });
    const lacks = 'this copy (q3) lacks it (height): No heights were drawn';
    expect(height).toMatchObject({ status: 'absent', notes: lacks });
    expect(top!.notes).toContain(`(height), from which it is calculated: ${lacks}.`);
    expect(top!.notes).toContain(`value of zones (height), from which it is calculated: ${lacks}.`);
  });
});

it('calls a layer by its title with the products that answer, or its own name where none does', () => {
  const zones = { dataset: 'fema_nfhl', layer: 'S_FLD_HAZ_AR' };
  const of = (source: string) => ({ provenance: { source } }) as Partition;
  expect(layerWords(zones)).toBe('flood hazard areas (fema_nfhl:S_FLD_HAZ_AR)');
  expect(layerWords(zones, [of('fema_q3'), of('fema_q3'), of('dc_crs_sfha')])).toBe(
    'flood hazard areas (fema_q3, dc_crs_sfha)',
  );
});
