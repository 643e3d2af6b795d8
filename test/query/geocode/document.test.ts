import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COST } from '../../../query/geocode/address/similarity.ts';

const text = readFileSync(new URL('../../../docs/geocoding.md', import.meta.url), 'utf8');
const bench: { rows: { case: string; ours: number }[] } = JSON.parse(
  readFileSync(new URL('../../../bench/results/geocode.json', import.meta.url), 'utf8'),
);

describe('docs/geocoding.md', () => {
  it('prints every cost of the similarity and no other', () => {
    const printed = [...text.matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm)].map(([, name, value]) => [name, Number(value)]);
    expect(Object.fromEntries(printed)).toEqual(COST);
  });

  it('prints the reliability that the bench measured', () => {
    const rows = bench.rows.filter(r => /^(?:Bangor|Forest City|Washington), similarity/.test(r.case));
    expect(rows.length).toBeGreaterThanOrEqual(12);
    for (const { case: name, ours } of rows) {
      const count = Number(name.split(' ').at(-1)).toLocaleString('en-US');
      const shown = [...text.matchAll(new RegExp(`([\\d.]+) % of ${count}`, 'g'))].map(m => Number(m[1]));
      expect({ name, close: shown.some(share => Math.abs(share - ours) < 0.06) }).toEqual({ name, close: true });
    }
  });

  it('says what the bars are met by', () => {
    const value = (name: RegExp) => bench.rows.find(r => name.test(r.case))!.ours;
    expect(value(/^all, clean: right of/)).toBeGreaterThanOrEqual(97);
    expect(value(/^all, typo: right of/)).toBeGreaterThanOrEqual(90);
    expect(value(/^all: wrong place of/)).toBeLessThanOrEqual(0.1);
  });
});
