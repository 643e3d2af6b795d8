import { describe, expect, it } from 'vitest';
import { DropError, dropsOf } from '../../../pipelines/scorecard/drop.ts';
import { sorted } from '../../../pipelines/steps/quality/breach.ts';
import { type CountyScore, type FieldScore, wilson } from '../../../query/parcel/scorecard.ts';

const rate = (right: number, checked: number) => ({ checked, right, interval: wilson(right, checked) });

const field = (name: string, right: number, checked: number): FieldScore => ({
  ...{ field: name, against: checked > 0 ? 'recomputation' : null, wrong: checked - right, absent: 0, failed: 0 },
  ...{ undecidable: 0, p50_error: null, p95_error: null },
  ...rate(right, checked),
});

const score = (rows: readonly FieldScore[], high: readonly [number, number] = [0, 0]): CountyScore => ({
  ...{ county_fips: '23019', taken_at: '2026-11-30T00:00:00.000Z', sample: 400, disagreeing: 0, rows },
  calibration: [{ confidence: 'high', ...rate(...high) }],
});

const keysOf = (before: CountyScore, now: CountyScore) => dropsOf(before, now).map(({ key }) => key);

describe('the drops from one scorecard to the next', () => {
  it('are shares whose whole interval lies below the old one', () => {
    // Wilson of 95 percent: 396 of 400 is 97.5 to 99.6 %, 380 of 400 is 92.4 to 96.7 %, 390 of 400 is 95.5 to 98.6 %.
    const before = score([field('zone', 396, 400)]);
    expect(keysOf(before, score([field('zone', 380, 400)]))).toEqual(['23019/zone']);
    expect(keysOf(before, score([field('zone', 390, 400)]))).toEqual([]);
    expect(keysOf(before, score([field('zone', 400, 400)]))).toEqual([]);
  });

  it('are told of all values of a confidence too', () => {
    expect(keysOf(score([], [4000, 4000]), score([], [3900, 4000]))).toEqual(['23019/confidence/high']);
  });

  it('are not told of what one of the two did not check', () => {
    const [checked, unchecked] = [score([field('zone', 400, 400)]), score([field('zone', 0, 0)])];
    expect(keysOf(checked, unchecked)).toEqual([]);
    expect(keysOf(unchecked, score([field('zone', 1, 400)]))).toEqual([]);
    expect(keysOf(score([]), checked)).toEqual([]);
  });

  it('are accepted by field, by county, and not by another', () => {
    const drops = dropsOf(score([field('zone', 400, 400)]), score([field('zone', 100, 400)]));
    const standing = (...flags: readonly string[]) => sorted(drops, flags).standing.length;
    expect([standing(), standing('23019'), standing('23019/zone'), standing('23019/zo'), standing('23005')]).toEqual([
      1, 0, 0, 1, 1,
    ]);
  });

  it('are said with both shares, the flag, and how to go back', () => {
    const drops = dropsOf(score([field('zone', 400, 400)]), score([field('zone', 300, 400)]));
    expect(new DropError(drops, '20261130-b', '20261129-a').message).toBe(
      [
        '1 share of right values is lower than before, by more than chance. No scorecard was published; release 20261130-b stays the current one. plat ingest rollback puts 20261129-a back in service.',
        '23019, zone: 300 of 400 right (70.5 % to 79.0 %); in the last scorecard 400 of 400 right (99.0 % to 100.0 %)',
        '  accept it once with --accept 23019/zone',
      ].join('\n'),
    );
  });
});
