import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Confidence } from '../../../datasets/dataset.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { MISSING, present } from '../bangor.ts';
import { gdal, NO_GDAL } from '../published.ts';
import type { FieldTally } from './comparison.ts';
import { checkPlace } from './place-check.ts';

if (!present || !gdal) console.warn(present ? NO_GDAL : MISSING);

const PLACES = [
  ...['bangor-me', 'washington-dc', 'chittenden-vt', 'forest-city-nc', 'mecklenburg-nc'],
  ...['zion-ut', 'alexandria-va'],
] as const;
/** Fields that are checked by so many values of one place at least. */
const [FEWEST_FIELDS, OFTEN] = [120, 300];
/** Why a copy has no value where its published file has one: words that Plat gives. */
const EXPLAINED =
  /was rejected|lacks|the coverage|ambiguous|rows? (?:that )?(?:does|do) not tell|what decides|cannot be decided|empty or unknown|in one census|on (?:water|a road) of the parcel file/i;

describe('fields of real places, computed by PostGIS from the published files that GDAL reads', {
  tags: ['published-files', 'GDAL', 'PostGIS'],
}, () => {
  let cluster: SharedPostgres;
  const tallies: FieldTally[] = [];
  const reasons = new Map<string, Set<string>>();
  beforeAll(async () => {
    cluster = await sharedPostgres();
  });
  afterAll(() => cluster?.drop());

  it.each(PLACES)('are those of %s', { timeout: 1_200_000 }, async place => {
    const check = await checkPlace(place, await cluster.database());
    tallies.push(...check.tallies);
    for (const [field, reason] of check.reasons) reasons.set(field, (reasons.get(field) ?? new Set()).add(reason));
    const wrong = check.tallies
      .filter(t => t.wrong.length)
      .map(t => `${t.field}: ${t.wrong.length} of ${t.checked}, ${t.wrong[0]}`);
    expect(wrong).toEqual([]);
    const unexplained = check.tallies.flatMap(t =>
      [...t.reasons.keys()].filter(reason => !EXPLAINED.test(reason)).map(reason => `${t.field}: ${reason}`),
    );
    expect(unexplained).toEqual([]);
  });

  it(`are ${FEWEST_FIELDS} at least, each by ${OFTEN} values of one place`, () => {
    const often = tallies.filter(({ checked }) => checked >= OFTEN);
    const fields = new Set(often.map(({ field }) => field));
    for (const place of PLACES) console.log(`${place}: ${often.filter(tally => tally.place === place).length} fields`);
    const cells = [...fields].filter(name => catalog.fields.get(name)!.expression.op.startsWith('raster_')).length;
    console.log(
      `${fields.size} fields of ${catalog.fields.size}: ${fields.size - cells} of features and rows, ${cells} of cells`,
    );
    console.log([...fields].sort().join(' '));
    const rest = [...catalog.fields.keys()].filter(name => !fields.has(name));
    const groups = Map.groupBy(rest, name => {
      const few = tallies.filter(({ field }) => field === name);
      if (few.length) return `fewer than ${OFTEN} values of a place`;
      const said = [...(reasons.get(name) ?? [])].filter(reason => !reason.startsWith('no published file'));
      return said[0] ?? 'no published file of a real place fills its layer';
    });
    for (const [reason, names] of groups) console.log(`${reason}: ${names.join(' ')}`);
    expect(fields.size).toBeGreaterThanOrEqual(FEWEST_FIELDS);
  });

  it('are right in 99 of 100 that say high, and 95 of those that say medium', () => {
    const share = (confidence: Confidence) => {
      const sum = (key: 'checked' | 'right') =>
        tallies.reduce((all, { byConfidence }) => all + byConfidence[confidence][key], 0);
      console.log(`${confidence}: ${sum('right')} of ${sum('checked')} right`);
      return sum('right') / sum('checked');
    };
    expect(share('high')).toBeGreaterThanOrEqual(0.99);
    expect(share('medium')).toBeGreaterThanOrEqual(0.95);
    expect(share('low')).toBeGreaterThan(0);
  });
});
