import { describe, expect, it } from 'vitest';
import { isStated, judged, SPELLINGS, systems, TABLE } from './systems.ts';

const all = systems();

describe('every system of PROJ’s database with an area in the United States', () => {
  it.each(SPELLINGS)(
    'as %s lies within 5 cm of PROJ, or stands in the table',
    async spelling => {
      const wrong: unknown[] = [];
      let [tried, refused] = [0, 0];
      for (const system of all) {
        const outcome = await judged(system, spelling);
        if (outcome === null) continue;
        tried++;
        if (typeof outcome === 'string') refused++;
        if (!isStated(system, spelling, outcome)) wrong.push([system.code, system.name, outcome]);
      }
      expect(wrong).toEqual([]);
      expect(tried).toBeGreaterThan(4000);
      const ofOlderDatums = TABLE.grid.length + TABLE.noShift.length + TABLE.approximate.length;
      expect((refused - ofOlderDatums) / (tried - ofOlderDatums)).toBeLessThan(0.05);
    },
    3_600_000,
  );
});
