import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { catalog, layerOf } from '../../../../datasets/catalog.ts';
import type { RoadsLayer } from '../../../../datasets/dataset.ts';
import type { PlaceLayer } from '../../../../datasets/place/place.ts';
import type { LayerJob } from '../../../../pipelines/steps/layer-job.ts';
import { stageRoads } from '../../../../pipelines/steps/roads/roads.ts';
import { UNREACHED } from '../../../../query/route/graph.ts';
import { Router } from '../../../../query/route/router.ts';
import { graphIn, readGraphMemory } from '../../../../query/route/shared-graph.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plat-roads-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const target = (dataset: string) => layerOf(catalog.datasets, dataset, 'road_graph') as RoadsLayer;
const provenance = {
  source: 'test',
  title: 'Test',
  publisher: 'Test',
  url: null,
  licence: 'CC0-1.0',
  vintage: '2026',
  note: null,
};

const layerFor = (dataset: string, file: string, rest: Partial<PlaceLayer> = {}): PlaceLayer => ({
  dataset,
  layer: 'road_graph',
  file,
  columns: Object.fromEntries(Object.keys(target(dataset).columns).map(name => [name, name])),
  provenance,
  ...rest,
});

let jobs = 0;
async function stage(sources: string, layer: PlaceLayer, ...also: PlaceLayer[]) {
  const place = { name: 'here', title: 'Here', state: 'PA', county: '42043', coverage: { extent: true } } as const;
  const job: LayerJob = { place, sources, folder: join(scratch, String(jobs++)), asOf: '2026-11-24', layer, also };
  const result = await stageRoads(job, target(layer.dataset), () => {});
  const { path } = result.partitions[0]!.files.find(({ role }) => role === 'graph')!;
  return { result, path, graph: graphIn(await readGraphMemory(path)) };
}

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
      scratch,
      layerFor('census_tiger', 'west.geojson'),
      layerFor('census_tiger', 'east.geojson'),
    );
    expect(result.counts).toMatchObject([
      { file: 'west.geojson', read: 2, written: 1, skipped: 1 },
      { file: 'east.geojson', read: 1, written: 1, skipped: 0 },
    ]);
    expect(result.partitions).toMatchObject([{ key: 'US', place: 'here', rows: 2 }]);
    const router = new Router(graph);
    const ends = [router.snap(-76.9, 40.2, 10), router.snap(-76.7, 40.2, 10)];
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
    await expect(stage(scratch, layerFor('census_tiger', 'paths.geojson'))).rejects.toThrow(
      'paths.geojson: none of its lines is a road that cars may drive',
    );
    writeFileSync(join(scratch, 'table.csv'), 'A,B\n1,2\n');
    await expect(stage(scratch, layerFor('census_tiger', 'table.csv'))).rejects.toThrow('no column LINEARID, MTFCC');
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
    const { path } = await stage(scratch, layerFor('census_tiger', 'one.geojson'));
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

const osm = fileURLToPath(new URL('../../../../../shared/data/osm/', import.meta.url));

describe.skipIf(!existsSync(osm))('extracts of OpenStreetMap (skipped without ../shared/data)', () => {
  it.each(['harrisburg', 'baltimore'])('%s becomes a graph in which most is reached from everywhere', async name => {
    const layer = layerFor('osm_roads', `${name}.osm.pbf`, { options: { layer: 'road' } });
    const { result, graph } = await stage(osm, layer);
    expect(result.counts[0]!.read).toBe(result.counts[0]!.written + result.counts[0]!.skipped);
    expect(graph.facts.restrictions).toBeGreaterThan(0);
    const router = new Router(graph);
    const [west, south, east, north] = graph.facts.box;
    const snaps = Array.from({ length: 400 }, (_, i) =>
      router.snap(west + ((i % 20) / 19) * (east - west), south + (Math.floor(i / 20) / 19) * (north - south), 1_000),
    ).filter(snap => snap !== null);
    const { time } = router.table(snaps, snaps);
    const reached = time.filter(ms => ms !== UNREACHED);
    expect(snaps.length).toBeGreaterThan(100);
    // One-way roads that the extract's edge cuts lead nowhere, or come from nowhere.
    expect(reached.length / time.length).toBeGreaterThan(0.7);
    expect(Math.max(...reached)).toBeLessThan(90 * 60_000);
  });

  it('goes over the Susquehanna by a bridge: longer than straight, and in a time that one drives', async () => {
    const { graph } = await stage(osm, layerFor('osm_roads', 'harrisburg.osm.pbf', { options: { layer: 'road' } }));
    const router = new Router(graph);
    // State Capitol, and Lemoyne on the other bank.
    const [from, to] = [router.snap(-76.8836, 40.2644, 1_000), router.snap(-76.8936, 40.2419, 1_000)];
    const found = from && to ? router.table([from], [to]) : null;
    if (found && found.time[0] !== UNREACHED) {
      expect(found.length[0]! / 10).toBeGreaterThan(2_500);
      expect(found.time[0]! / 60_000).toBeLessThan(15);
    }
  });
});
