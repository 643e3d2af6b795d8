import { describe, expect, it } from 'vitest';
import { acresApart } from '../../../datasets/parcel/disagreement.ts';
import type { Partition } from '../../../datasets/release.ts';
import { acreNotes, zoneNotes } from '../../../query/evaluate/assurance/disagreement.ts';

const of = (unpublished: readonly string[] = []) => ({ unpublished }) as unknown as Partition;

describe('sources that disagree', () => {
  it('are told apart beyond 5 percent and 0.02 acres', () => {
    expect(acresApart(1, 1.05)).toBeNull();
    expect(acresApart(1, 1.06)).toBeCloseTo(0.06);
    expect(acresApart(0.1, 0.119)).toBeNull();
    expect(acresApart(1, 0.5)).toBe(-0.5);
    for (const none of [null, undefined, 0, Number.NaN, '1']) expect(acresApart(1, none)).toBeNull();
  });

  it('are named in the notes with the rule by which one is answered', () => {
    const lot = { acreage: 1, gisacre: 1.3, deeded_acres: 0.4 };
    const [deed, county] = acreNotes('@area_m2', lot, of());
    expect(deed).toBe(
      'sources disagree: the deed says over 50 percent fewer acres (deeded_acres) than the outline has; the outline is answered, because it is measured alike everywhere',
    );
    expect(county).toContain('the county says over 20 percent more acres (gisacre)');
    expect(acreNotes('gisacre', lot, of())).toEqual([expect.stringContaining('what the source says is answered here')]);
    expect(acreNotes('acreage', lot, of(['gisacre', 'deeded_acres']))).toEqual([]);
    expect(acreNotes('owner', lot, of())).toEqual([]);
  });

  it('agree on zones that are only written in another way', () => {
    expect(zoneNotes('R-1', 'r1')).toEqual([]);
    expect(zoneNotes('R-1', null)).toEqual([]);
    expect(zoneNotes('R-1', 'C-2')).toEqual([expect.stringContaining('the zoning map has C-2')]);
  });
});
