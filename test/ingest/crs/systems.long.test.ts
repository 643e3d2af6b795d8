import { afterEach, describe, expect, it } from 'vitest';
import { setProjGrids } from '../../../ingest/crs.ts';
import { GRIDS, isRight, isShifted, isStated, judged, SPELLINGS, type System, systems } from './systems.ts';

const all = systems();

describe('every system of PROJ’s database with an area in the United States', () => {
  afterEach(() => setProjGrids(''));

  it.each(SPELLINGS)(
    'as %s lies within 5 cm of PROJ, or stands in the table; with the grids of an operator, of a hundred at least 95 do',
    async spelling => {
      const wrong: unknown[] = [];
      const older: System[] = [];
      let [tried, right] = [0, 0];
      for (const system of all) {
        const outcome = await judged(system, spelling);
        if (outcome === null) continue;
        tried++;
        if (isRight(outcome)) right++;
        else if (isShifted(system)) older.push(system);
        if (!isStated(system, spelling, outcome)) wrong.push([system.code, system.name, outcome]);
      }
      setProjGrids(GRIDS);
      for (const system of older) {
        const outcome = (await judged(system, spelling, true))!;
        if (isRight(outcome)) right++;
        if (!isStated(system, spelling, outcome, true)) wrong.push([system.code, system.name, outcome, 'with grids']);
      }
      expect(wrong).toEqual([]);
      expect(tried).toBeGreaterThan(4000);
      expect(right / tried).toBeGreaterThanOrEqual(0.95);
    },
    3_600_000,
  );
});
