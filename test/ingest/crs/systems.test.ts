import { describe, expect, it } from 'vitest';
import { isStated, judged, SPELLINGS, systems, TABLE } from './systems.ts';

/** Every such system is tried in one spelling, the next in the next. */
const EVERY = 97;
const sample = systems().filter((_, i) => i % EVERY === 3);

describe('systems of PROJ’s database', () => {
  it('are accepted, but for those of older datums, within 5 cm of PROJ in whatever spelling', async () => {
    const wrong: unknown[] = [];
    let tried = 0;
    for (const [i, system] of sample.entries()) {
      const spelling = SPELLINGS[i % SPELLINGS.length]!;
      const outcome = await judged(system, spelling);
      if (outcome === null) continue;
      tried++;
      if (!isStated(system, spelling, outcome)) wrong.push([system.code, spelling, outcome]);
    }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(30);
  });

  it('stand in the table of refusals where they are refused, at most one in twelve', () => {
    const { differs, ...refused } = TABLE;
    const codes = [...Object.values(refused).flat(), ...Object.keys(differs)];
    const all = new Set(systems().map(({ code }) => code));
    expect(codes.filter(code => !all.has(code))).toEqual([]);
    expect(new Set(Object.values(refused).flat()).size).toBe(Object.values(refused).flat().length);
    expect(codes.length).toBeLessThan(all.size / 12);
    expect(Object.keys(differs).length).toBeLessThan(all.size / 200);
  });
});
