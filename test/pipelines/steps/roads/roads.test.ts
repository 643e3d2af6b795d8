import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { PlaceLayer } from '../../../../datasets/place/place.ts';
import { distance } from '../../../../query/geometry/geodesic.ts';
import { UNREACHED } from '../../../../query/route/graph.ts';
import { Router } from '../../../../query/route/router.ts';
import { readGraphMemory } from '../../../../query/route/shared-graph.ts';
import { layerFor, staged, stagedExtract } from './staged.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plat-roads-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const stage = (...layers: [PlaceLayer, ...PlaceLayer[]]) => staged(scratch, scratch, ...layers);

const lines = (name: string, rows: readonly { MTFCC: string; line: number[][] }[]) =>
  writeFileSync(
    join(scratch, name),
    JSON.stringify({
      type: 'FeatureCollection',
      features: rows.map(({ MTFCC, line }, i) => ({
        type: 'Feature',
        properties: { LINEARID: `${name}${i}`, MTFCC },
        geometry: { type: 'LineString', coordinates: line },
      })),
    }),
  );

describe('a road graph', () => {
  it('is made of all files of a place together, so that their roads meet', async () => {
    lines('west.geojson', [
      {
        MTFCC: 'S1400',
        line: [
          [-76.9, 40.2],
          [-76.8, 40.2],
        ],
      },
      {
        MTFCC: 'S1710',
        line: [
          [-76.9, 40.2],
          [-76.9, 40.3],
        ],
      },
    ]);
    lines('east.geojson', [
      {
        MTFCC: 'S1200',
        line: [
          [-76.8, 40.2],
          [-76.7, 40.2],
        ],
      },
    ]);
    const { result, graph } = await stage(
      layerFor('census_tiger', 'west.geojson'),
      layerFor('census_tiger', 'east.geojson'),
    );
    expect(result.counts).toMatchObject([
      { file: 'west.geojson', read: 2, written: 1, skipped: 1 },
      { file: 'east.geojson', read: 1, written: 1, skipped: 0 },
    ]);
    expect(result.partitions).toMatchObject([{ key: 'US', place: 'here', rows: 2 }]);
    const router = new Router(graph);
    const ends = [router.nearestRoad(-76.9, 40.2, 10), router.nearestRoad(-76.7, 40.2, 10)];
    const { time, length } = router.table([ends[0]!], [ends[1]!]);
    // 0.1° of longitude at 40.2° N is 8,515.7 m (GeographicLib): at 40 and at 70 km/h.
    expect(length[0]! / 10).toBeCloseTo(17_031, -1);
    expect(time[0]! / 1000).toBeCloseTo(8515.7 / (40 / 3.6) + 8515.7 / (70 / 3.6), 0);
  });

  it('is none of no roads, and names columns that are missing', async () => {
    lines('paths.geojson', [
      {
        MTFCC: 'S1710',
        line: [
          [-76.9, 40.2],
          [-76.8, 40.2],
        ],
      },
    ]);
    await expect(stage(layerFor('census_tiger', 'paths.geojson'))).rejects.toThrow(
      'paths.geojson: none of its lines is a road that cars may drive',
    );
    writeFileSync(join(scratch, 'table.csv'), 'A,B\n1,2\n');
    await expect(stage(layerFor('census_tiger', 'table.csv'))).rejects.toThrow('no column "LINEARID", "MTFCC"');
  });

  it('with a flipped bit is refused, wherever the bit stands', async () => {
    lines('one.geojson', [
      {
        MTFCC: 'S1400',
        line: [
          [-76.9, 40.2],
          [-76.8, 40.2],
        ],
      },
    ]);
    const { path } = await stage(layerFor('census_tiger', 'one.geojson'));
    const sound = readFileSync(path);
    for (const at of [0, 9, 13, 30, Math.floor(sound.length / 2), sound.length - 1]) {
      const bytes = Buffer.from(sound);
      bytes[at]! ^= 4;
      writeFileSync(path, bytes);
      await expect(readGraphMemory(path), `byte ${at}`).rejects.toThrow(/damaged/);
    }
    writeFileSync(path, sound.subarray(0, 10));
    await expect(readGraphMemory(path)).rejects.toThrow(/damaged/);
  });
});

describe('extracts of OpenStreetMap', { tags: ['published-files'] }, () => {
  it.each(['harrisburg', 'baltimore'])(
    '%s becomes a graph on which everything is reached from everywhere',
    async name => {
      const { result, graph } = await stagedExtract(scratch, name);
      expect(result.counts[0]!.read).toBe(result.counts[0]!.written + result.counts[0]!.skipped);
      expect(graph.facts.restrictions).toBeGreaterThan(0);
      const router = new Router(graph);
      const [west, south, east, north] = graph.facts.box;
      const snaps = Array.from({ length: 400 }, (_, i) =>
        router.snap(west + ((i % 20) / 19) * (east - west), south + (Math.floor(i / 20) / 19) * (north - south), 1_000),
      ).filter(snap => snap !== null);
      const { time, length } = router.table(snaps, snaps);
      const reached = time.filter(ms => ms !== UNREACHED);
      expect(snaps.length).toBeGreaterThan(100);
      // Roads that the extract's edge cuts lead nowhere, or come from nowhere: no drive begins there.
      expect(reached.length).toBe(time.length);
      expect(reached.reduce((most, ms) => Math.max(most, ms), 0)).toBeLessThan(90 * 60_000);
      // No way is shorter than the straight line between the places on the roads.
      for (const [i, from] of snaps.entries())
        for (const [j, to] of snaps.entries())
          if (time[i * snaps.length + j] !== UNREACHED)
            expect(length[i * snaps.length + j]! / 10).toBeGreaterThan(
              distance(from.lng, from.lat, to.lng, to.lat) * 0.999 - 5,
            );
    },
  );

  it('a place beside a driveway of Baltimore that the map joins to nothing is on the street beside it', async () => {
    const router = new Router((await stagedExtract(scratch, 'baltimore')).graph);
    const [lng, lat] = [-76.58749, 39.285444];
    const street = router.snap(lng, lat, 1_000)!;
    expect(router.nearestRoad(lng, lat, 1_000)!.metres).toBeLessThan(street.metres - 5);
    expect(street.metres).toBeLessThan(60);
    const square = router.snap(-76.6122, 39.2904, 1_000);
    const { time } = router.table([street, square], [street, square]);
    expect(Math.max(...time)).toBeLessThan(20 * 60_000);
  });
});
