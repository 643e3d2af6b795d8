import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import bangor from '../../../datasets/places/bangor-me.ts';
import { Client } from '../../../ingest/acquire/client.ts';
import { parseMirror } from '../../../ingest/acquire/mirror.ts';
import { ingestPlanCommand } from '../../../pipelines/commands/ingest-plan.ts';
import { lookAt, publishedFiles } from '../../../pipelines/refresh/published-files.ts';
import { mapServer } from '../../ingest/acquire/map-server.ts';
import { Publisher } from '../../ingest/acquire/publisher.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-plan-'));
const placeFile = join(folder, 'county.json');
const publisher = new Publisher();
const before = { ...process.env };

const FLOOD_ZONES = '/arcgis/rest/services/public/NFHL/MapServer/28';
const WETLANDS = '/wetlands/data/State-Downloads/ME_geopackage_wetlands.zip';
const fileOf = (dataset: string, layer: string) =>
  bangor.layers.find(one => one.dataset === dataset && one.layer === layer)!.file;

beforeAll(async () => {
  await publisher.start();
  process.env.PLAT_HOME = join(folder, 'home');
  const hosts = ['hazards.fema.gov', 'documentst.ecosphere.fws.gov', 'services.arcgis.com'];
  process.env.PLAT_MIRROR = hosts.map(host => `${host}=${publisher.origin}`).join(',');
  const ids = Array.from({ length: 1234 }, (_, i) => i + 1);
  const rows = ids.map(OBJECTID => ({ attributes: { OBJECTID }, geometry: { x: -68.8, y: 44.8 } }));
  mapServer(publisher, FLOOD_ZONES, { rows, ids, field: 'OBJECTID' });
  publisher.put(WETLANDS, Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(50_000)]));
  const wanted = ['fema_nfhl', 'usfws_nwi', 'local_zoning', 'usda_ssurgo', 'usgs_padus', 'usgs_nhdplus_hr'];
  const files = {
    [fileOf('fema_nfhl', 'S_FLD_HAZ_AR')]: { dataset: 'fema_nfhl', layer: 'S_FLD_HAZ_AR' },
    [fileOf('usfws_nwi', 'main')]: { dataset: 'usfws_nwi' },
    // Its publisher has nothing at that address.
    [fileOf('usgs_padus', 'main')]: { dataset: 'usgs_padus' },
  };
  const layers = bangor.layers.filter(({ dataset }) => wanted.includes(dataset));
  const unavailable = { 'bts_ntad:noise': 'put there by hand: its host blocks programs' };
  writeFileSync(placeFile, JSON.stringify({ ...bangor, name: 'county', layers, files, unavailable }));
});
afterAll(async () => {
  for (const name of ['PLAT_HOME', 'PLAT_MIRROR'])
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function planned(json: boolean) {
  const [out, err]: string[][] = [[], []];
  const terminal = { json, interactive: false, out: (l: string) => out!.push(l), err: (l: string) => err!.push(l) };
  const code = await ingestPlanCommand.run([], { placeFile, json }, terminal as never);
  return { code, out: out!.join('\n'), err: err!.join('\n') };
}

it('a plan for a county says by dataset how it comes, from where, how much, or by hand and why', async () => {
  const { code, out, err } = await planned(false);
  const line = (dataset: string) => out.split('\n').find(text => text.startsWith(`  ${dataset}: `)) ?? '';
  expect(line('fema_nfhl')).toBe(`  fema_nfhl: arcgis from https://hazards.fema.gov${FLOOD_ZONES} (1234 rows)`);
  expect(line('usfws_nwi')).toMatch(
    /^ {2}usfws_nwi: http from https:\/\/documentst\.ecosphere\.fws\.gov\S+\/ME_geopackage_wetlands\.zip \(49 KiB, 452 rows\)$/,
  );
  expect(line('local_zoning')).toMatch(/: by hand \(1297 rows\); each jurisdiction has its own/);
  // What the county fills in is filled in, and a page that names the files stands for them.
  const published = 'the place file does not name them under files; they are published at';
  expect(line('usda_ssurgo')).toContain(`by hand (7148 rows); ${published} https://websoilsurvey.sc.egov.usda.gov/`);
  expect(line('usgs_nhdplus_hr')).toMatch(
    new RegExp(`${published} https://prd-tnm\\.s3\\.amazonaws\\.com/\\?prefix=\\S+$`),
  );
  expect(out).not.toMatch(/\{(?:link|ST|county|fips)\}/);
  // A publisher that has nothing there is told, and ends nothing.
  expect(err).toMatch(/parks\.geojson: https:\/\/services\.arcgis\.com\/\S+: answered 404/);
  expect(line('usgs_padus')).toMatch(/^ {2}usgs_padus: arcgis from https:\/\/services\.arcgis\.com\/\S+ \(60 rows\)$/);
  expect(code).toBe(1);
});

it('says by dataset what is to come, what it takes, and what is not to be had', async () => {
  const { out } = await planned(false);
  // 1,234 rows by pages of a service, 50,004 bytes of a file.
  expect(out).toMatch(/needs fema_nfhl: 1085 KiB to download, about 1567 KiB of disk, less than a minute\n/);
  expect(out).toMatch(/needs usfws_nwi: 49 KiB to download, about 179 KiB of disk, less than a minute\n/);
  expect(out).toMatch(
    /needs usgs_padus: nothing that comes\n {4}not to be had: \S+parks\.geojson: https:\S+: answered 404/,
  );
  expect(out).toMatch(/together: 1133 KiB to download/);
  expect(out).toContain('Not in this place:\n  bts_ntad:noise: put there by hand: its host blocks programs');
});

it('the same as JSON has each part by itself', async () => {
  const { acquisitions, published } = JSON.parse((await planned(true)).out);
  const of = (name: string) => acquisitions.find(({ dataset }: { dataset: string }) => dataset === name);
  expect(of('fema_nfhl')).toMatchObject({ how: ['arcgis'], bytes: null, rows: 1234, why: null });
  expect(of('usfws_nwi')).toMatchObject({ how: ['http'], bytes: 50_004, rows: 452, why: null });
  expect(of('local_zoning')).toMatchObject({ how: ['by hand'], from: [], bytes: null, rows: 1297 });
  expect(published.filter(({ fault }: { fault: string | null }) => fault !== null)).toMatchObject([
    { vintage: null, isNew: false, fault: expect.stringContaining('answered 404') },
  ]);
});

it('a publisher that does not answer is asked for one file alone, and what it has is not known', async () => {
  const silent = new Publisher();
  await silent.start();
  const asked: string[] = [];
  for (const path of ['/a.csv', '/b.csv', '/c.csv'])
    silent.handlers.set(path, ({ url = '' }) => {
      asked.push(url);
    });
  publisher.put('/d.csv', 'x\n1\n');
  const url = (host: string, name: string) => ({ url: `https://${host}/${name}.csv` });
  const files = { a: url('silent.example', 'a'), b: url('silent.example', 'b'), c: url('gone.example', 'c') };
  const place = { ...bangor, layers: [], files: { ...files, d: url('there.example', 'd') } } as Place;
  // Nothing listens on the port of `gone`.
  const rules = `silent.example=${silent.origin},gone.example=http://127.0.0.1:9,there.example=${publisher.origin}`;
  const client = new Client({ mirror: parseMirror(rules), retries: 0 });
  const looks = await lookAt(publishedFiles(place), {
    sources: folder,
    client,
    now: () => new Date(),
    patienceMs: 200,
  });
  const said = 'size not known (publisher did not answer)';
  expect(looks).toMatchObject([
    { file: 'a', fault: `https://silent.example/a.csv: ${said}`, isSilent: true },
    { file: 'b', fault: `https://silent.example/b.csv: ${said}`, isSilent: true },
    { file: 'c', fault: `https://gone.example/c.csv: ${said}`, isSilent: true },
    { file: 'd', isNew: true, seen: { bytes: 4 } },
  ]);
  expect(asked).toEqual(['/a.csv']);
  await client.close();
  await silent.stop();
});
