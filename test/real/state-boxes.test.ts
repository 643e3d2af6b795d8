import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STATE_BOXES } from '../../datasets/codes/state-boxes.ts';
import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import { boxOf } from '../../datasets/geometry.ts';
import { openSource } from '../../ingest/format.ts';

const STATES = join(import.meta.dirname, '../../../shared/data/national/us_states.geojson.gz');
/** Degrees by which coarse outlines of one state differ, and by which lakes and islands that one file leaves out reach farther. */
const [APART, FARTHER] = [0.02, 1.2];

describe('boxes of states', { tags: ['published-files'] }, () => {
  it('hold each state as another file draws it, and not much more', async () => {
    const source = await openSource(STATES, { options: {} });
    let states = 0;
    for await (const batch of source.rows())
      for (const { properties, geometry } of batch) {
        const name = String(properties.id);
        const [west, south, east, north] = STATE_BOXES[name]!;
        const box = boxOf(geometry!);
        const beyond = [west - box[0], south - box[1], box[2] - east, box[3] - north];
        expect([name, Math.max(...beyond) < APART]).toEqual([name, true]);
        // Alaska has all longitudes.
        const most = Math.max(...beyond.flatMap((v, side) => (name === 'AK' && side % 2 === 0 ? [] : [-v])));
        expect([name, most < FARTHER]).toEqual([name, true]);
        states++;
      }
    await source.close();
    expect(states).toBe(50);
    expect(Object.keys(STATE_BOXES).sort()).toEqual(Object.keys(STATE_FIPS).sort());
  });
});
