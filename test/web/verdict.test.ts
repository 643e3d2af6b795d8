import { expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { verdictTold } from '../../server/meta/verdict.ts';
import type { FieldRecord } from '../../web/values/field-record.ts';
import { findingOf } from '../../web/verdict/finding.ts';
import { mattersOf } from '../../web/verdict/verdicts.ts';

const record = (value: unknown, more: Partial<FieldRecord> = {}): FieldRecord => ({
  ...{ value, unit: null, source: 'Test', source_url: null, confidence: 'high', fetched_at: null },
  ...{ dataset_vintage: null, notes: null, status: value === null ? 'absent' : 'ok' },
  ...more,
});
const ruleOf = (name: string) => verdictTold(catalog.fields.get(name)!.verdict);
const told = (fields: Readonly<Record<string, FieldRecord>>, share?: FieldRecord) =>
  findingOf(mattersOf(fields, ruleOf)[0]!, share, 'us');
const share = (value: number | null) => record(value, { unit: 'fraction' });
const near = '0.1 m from ground where it is AE (FLD_ZONE), while the source is accurate to 12 m';

it('a dry place of a parcel that floods in part is neither a plain no nor a yes', () => {
  expect(told({ fema_flood_zone: record('X') }, share(0.234))).toEqual({
    outcome: 'part',
    label: 'In part',
    text: 'The place is in flood zone X, outside the special flood hazard areas, but 23 % of its parcel is inside one. Lenders go by where the building stands.',
  });
  for (const none of [undefined, share(null), share(0)])
    expect(told({ fema_flood_zone: record('X') }, none).label).toBe('No');
});

it('a place in a flood zone or at its edge says how much of its parcel is', () => {
  const wet = told({ fema_flood_zone: record('AE') }, share(0.4));
  expect([wet.outcome, wet.text]).toEqual([
    'yes',
    expect.stringMatching(/insurance\. Of its parcel, 40 % is inside one\.$/),
  ]);
  expect(told({ fema_flood_zone: record('AE') }, share(1)).text).not.toContain('parcel');
  const line = told({ fema_flood_zone: record('X', { notes: near }) }, share(0.05));
  expect([line.label, line.text]).toEqual([
    'On the line',
    expect.stringMatching(/\. Of its parcel, 5 % is inside one\.$/),
  ]);
});

it('how much of a parcel floods says nothing of other matters, nor where nothing is known', () => {
  expect(told({ within_nwi_wetland: record(false) }, share(0.5)).label).toBe('No');
  expect(told({ fema_flood_zone: record(null) }, share(0.5)).label).toBe('Not known');
});

it('a verdict by a corrected value says that it is one', () => {
  const corrected = record('AE', { source: 'correction:fema_nfhl', confidence: 'medium' });
  expect(told({ fema_flood_zone: corrected })).toMatchObject({
    outcome: 'yes',
    text: expect.stringMatching(/\. This is a correction that was reviewed: the source says something else\.$/),
  });
  expect(told({ fema_flood_zone: record('AE') }).text).not.toContain('correction');
});

it('a height below something is told by the sentence, not by a minus', () => {
  expect(told({ elevation_above_base_flood_m: record(-3, { unit: 'm' }) }).text).toMatch(
    /^The ground is [\d.]+ ft below/,
  );
});
