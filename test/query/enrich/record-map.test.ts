import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { isWhole, RecordMap, type RecordValue, recordText } from '../../../query/enrich/record-map.ts';
import { recordTails } from '../../../query/enrich/record-tails.ts';
import { failed, found } from '../../../query/evaluate/finding.ts';
import { JsonBytes } from '../../../query/format/json-bytes.ts';
import { Fault } from '../../../query/release/fault.ts';

const FIELDS = [
  'owner_assemblage',
  'apn',
  'elevation',
  'within_nwi_wetland',
  'parcel_constraint_zones',
  'slope_percent',
].map(name => enrichCatalogOf(catalog).fields.get(name)!);
const TIMES = ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'];
const REASONS = [found(null, 'high', []), found(null, 'low', [], ['a note']), failed(new Fault('gone', true))];

const parse = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
const wholeText = fc.jsonValue().map(value => JSON.stringify([value]));
const scalar = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), fc.boolean(), fc.integer());
/** Few values and reasons, so that parcels one after another have runs of fields in common. */
const field = (whole: boolean) =>
  fc.record({
    value: fc.oneof(fc.constantFrom<RecordValue>(null, whole ? '[]' : 1), whole ? wholeText : scalar),
    reason: fc.integer({ min: 0, max: 2 }),
    time: fc.integer({ min: 0, max: 1 }),
  });
const parcel = fc.tuple(...FIELDS.map(f => field(isWhole(f))));

describe('the records of parcels', () => {
  it('are the same JSON one after another as each on its own', () => {
    fc.assert(
      fc.property(fc.array(parcel, { minLength: 1, maxLength: 6 }), parcels => {
        const together = new RecordMap(FIELDS);
        const out = JsonBytes.own(3);
        const written = parcels.map(answers => {
          const values = answers.map(a => a.value);
          const tails = answers.map((a, i) => recordTails(FIELDS[i]!, '').of(REASONS[a.reason]!, TIMES[a.time]!));
          const from = out.length;
          together.write(values, tails, out);
          return { values, tails, from, to: out.length };
        });
        // Read once all are written: none may have changed another.
        for (const [p, { values, tails, from, to }] of written.entries()) {
          const bytes = out.written(from, to);
          expect(Buffer.from(bytes)).toEqual(Buffer.from(recordText(FIELDS, values, tails)));
          const map = parse(bytes);
          expect(Object.keys(map)).toEqual(FIELDS.map(f => f.name));
          for (const [i, { name, unit, hint }] of FIELDS.entries()) {
            const { value, reason, time } = parcels[p]![i]!;
            const { status, confidence } = REASONS[reason]!;
            const expected = isWhole(FIELDS[i]!) && value !== null ? JSON.parse(String(value)) : value;
            expect(JSON.stringify((map[name] as { value: unknown }).value)).toBe(JSON.stringify(expected));
            const rest = { unit, status, confidence, interpretation_hints: hint, fetched_at: TIMES[time] };
            expect(map[name]).toMatchObject(rest);
          }
        }
      }),
      { numRuns: 300, seed: 9 },
    );
  });

  it('of no fields are an empty object', () => {
    expect(parse(recordText([], [], []))).toEqual({});
  });
});
