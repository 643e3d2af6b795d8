import fs, { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { initPlace } from '../../../../pipelines/place/init/init.ts';
import { folder } from '../../village.ts';
import { writeDavis } from './davis.ts';

const sources = folder();
const { createReadStream } = fs;
const opened = new Map<string, number>();
let files: string[];
let result: Awaited<ReturnType<typeof initPlace>>;
const flags = { sources, name: 'davis-ut', state: null, county: null };

beforeAll(async () => {
  files = writeDavis(sources);
  fs.createReadStream = ((path: fs.PathLike, options) => {
    const name = basename(String(path));
    opened.set(name, (opened.get(name) ?? 0) + 1);
    return createReadStream(path, options);
  }) as typeof createReadStream;
  syncBuiltinESMExports();
  result = await initPlace({ files, ...flags });
});
afterAll(() => {
  fs.createReadStream = createReadStream;
  syncBuiltinESMExports();
  rmSync(sources, { recursive: true, force: true });
});

it('maps at least nine of twelve files of a county, places, zoning districts and faults among them', () => {
  const layers = Object.fromEntries(result.layers.map(l => [l.sample.file, `${l.dataset}:${l.layer}`]));
  expect(Object.keys(layers).length).toBeGreaterThanOrEqual(9);
  expect(layers).toMatchObject({
    'Davis_County_Parcels_LIR.geojson': 'parcel_store:main',
    'AddressPoints.geojson': 'usdot_nad:main',
    'Roads.geojson': 'census_tiger:roads',
    'Municipalities.geojson': 'census_tiger:place',
    'Zoning_Districts.geojson': 'local_zoning:main',
    'QuaternaryFaults.geojson': 'usgs_earthquake:qfaults',
    'Buildings.geojson': 'fema_usa_structures:main',
    'Streams_NHDHighRes.geojson': 'usgs_nhdplus_hr:NHDFlowline',
    'Landslide_Deposits.geojson': 'usgs_landslides:inventory',
  });
});

it('reads no file twice: its beginning, its header and its rows are opened once each', () => {
  expect([...opened].filter(([, times]) => times > 3)).toEqual([]);
  expect(opened.size).toBe(files.length);
});

it('knows the county by five digits, and where there are none by its name in the state around it', async () => {
  expect(result.area).toMatchObject({ state: 'UT', county: '49011' });
  const parcels = files.find(file => /Parcels/.test(file))!;
  const { area } = await initPlace({ files: [parcels], ...flags });
  expect(area).toMatchObject({ state: 'UT', county: '49011', why: expect.stringMatching(/name/) });
});

it('asks for the county after the first rows when no column says it', async () => {
  const bare = join(sources, 'lots.geojson');
  const text = readFileSync(files.find(file => /Parcels/.test(file))!, 'utf8');
  writeFileSync(bare, text.replaceAll('"COUNTY_NAME":"Davis",', ''));
  const progress: string[] = [];
  const asked = initPlace({ files: [bare], ...flags, progress: line => progress.push(line) });
  await expect(asked).rejects.toThrow(/which county of UT they are of: give --county/);
  expect(progress).toEqual([]);
});

it('knows the county by its three digits in a column of any such name, and not by a number that the state gives it', async () => {
  const numbered = join(sources, 'numbered.geojson');
  const text = readFileSync(files.find(file => /Parcels/.test(file))!, 'utf8');
  const writeWith = (number: string) =>
    writeFileSync(
      numbered,
      text.replaceAll('"COUNTY_NAME":"Davis",', '').replaceAll(/"COUNTY_ID":"\d+"/g, `"COUNTY_ID":"${number}"`),
    );
  writeWith('011');
  expect((await initPlace({ files: [numbered], ...flags })).area).toMatchObject({ state: 'UT', county: '49011' });
  // Davis is the sixth county of Utah by name.
  writeWith('006');
  await expect(initPlace({ files: [numbered], ...flags })).rejects.toThrow(/give --county/);
});
