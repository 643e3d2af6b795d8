import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Place, PlaceLayer } from '../../../datasets/place/place.ts';
import { filesOfJob, jobKey } from '../../../pipelines/ledger/job-key.ts';
import { Ledger } from '../../../pipelines/ledger/ledger.ts';
import { jobsOf } from '../../../pipelines/steps/job.ts';
import { provenance, village } from '../village.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const roads = (file: string): PlaceLayer => ({
  dataset: 'osm_roads',
  layer: 'road_graph',
  file,
  columns: {},
  provenance,
});
const place: Place = { ...village, layers: [roads('north.osm.pbf'), roads('south.osm.pbf')] };

it('of a road graph changes with each of its files', async () => {
  mkdirSync(join(folder, 'releases'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const name of ['north.osm.pbf', 'south.osm.pbf', 'boundary.geojson']) write(name, name);
  const ledger = new Ledger(join(folder, 'releases'));
  const [job, ...more] = jobsOf(place, null, { releases: folder, sources: folder, folder, now: new Date(0) });
  expect(more).toEqual([]);
  expect(filesOfJob(job!)).toEqual(['boundary.geojson', 'north.osm.pbf', 'south.osm.pbf']);
  const keys = [await jobKey(job!, ledger, 'code')];
  for (const name of ['south.osm.pbf', 'north.osm.pbf']) {
    write(name, 'another edition');
    keys.push(await jobKey(job!, ledger, 'code'));
  }
  expect(new Set(keys).size).toBe(3);
  ledger.close();
});
