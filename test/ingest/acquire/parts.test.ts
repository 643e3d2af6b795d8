import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Protocol } from '../../../datasets/protocol.ts';
import { Client } from '../../../ingest/acquire/client.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { openArchive } from '../../../ingest/zip.ts';
import { Publisher } from './publisher.ts';

const publisher = new Publisher();
const folder = mkdtempSync(join(tmpdir(), 'plat-parts-'));
const client = new Client({ wait: async () => {}, retries: 2 });
let sources: string;

beforeAll(() => publisher.start());
beforeEach(() => {
  sources = mkdtempSync(join(folder, 's-'));
  publisher.files.clear();
  publisher.log.length = 0;
});
afterAll(async () => {
  await client.close();
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

const taken = (via: Protocol, path: string, file: string) =>
  take({
    ...{ sources, file, taken: new TakenFiles(sources), client, now: () => new Date('2026-11-24T06:00:00Z') },
    located: { via, url: `${publisher.origin}${path}`, where: '', resource: null, vintage: null },
  });

async function membersOf(file: string): Promise<Record<string, string>> {
  const archive = await openArchive(join(sources, file));
  try {
    const found: Record<string, string> = {};
    for (const name of archive.names) found[name] = (await buffer(await archive.open(name))).toString();
    return found;
  } finally {
    archive.close();
  }
}

describe('files that lie beside each other', () => {
  const PATH = '/gis/lots.{shp,dbf,prj}';
  const publish = (dbf: string) => {
    publisher.put('/gis/lots.shp', 'shapes');
    publisher.put('/gis/lots.dbf', dbf);
    publisher.put('/gis/lots.prj', 'a system');
  };

  it('come as one zip, one of them after it broke off, and not again until one of them changes', async () => {
    publish('attributes');
    publisher.faults.set('/gis/lots.dbf', [(_, response) => void response.writeHead(503).end()]);
    const first = await taken('parts', PATH, 'lots.zip');
    expect(first.isNew).toBe(true);
    const members = { 'lots.shp': 'shapes', 'lots.dbf': 'attributes', 'lots.prj': 'a system' };
    expect(await membersOf('lots.zip')).toEqual(members);
    expect(readdirSync(sources).sort()).toEqual(['acquired.json', 'lots.zip']);
    publisher.log.length = 0;
    expect(await taken('parts', PATH, 'lots.zip')).toMatchObject({ isNew: false });
    expect(publisher.log.map(({ method }) => method)).toEqual(['HEAD', 'HEAD', 'HEAD']);
    publish('other attributes');
    expect(await taken('parts', PATH, 'lots.zip')).toMatchObject({ isNew: true });
    expect(await membersOf('lots.zip')).toEqual({ ...members, 'lots.dbf': 'other attributes' });
  });

  it('leave what is held where one of them is missing, and need a list of endings', async () => {
    publish('attributes');
    await taken('parts', PATH, 'lots.zip');
    publisher.files.delete('/gis/lots.dbf');
    publisher.put('/gis/lots.shp', 'other shapes');
    await expect(taken('parts', PATH, 'lots.zip')).rejects.toThrow(/lots\.dbf/);
    expect(await membersOf('lots.zip')).toMatchObject({ 'lots.shp': 'shapes' });
    await expect(taken('parts', '/gis/lots.shp', 'lots.zip')).rejects.toThrow(
      /names no parts; expected an address such/,
    );
  });
});

describe('a file that a place names .gz', () => {
  it('is compressed where its publisher has it plain, and stays as it came where it is compressed', async () => {
    const text = '{"type":"FeatureCollection","features":[]}';
    publisher.put('/a.geojson', text);
    await taken('http', '/a.geojson', 'a.geojson.gz');
    expect(gunzipSync(readFileSync(join(sources, 'a.geojson.gz'))).toString()).toBe(text);
    expect((await taken('http', '/a.geojson', 'a.geojson.gz')).isNew).toBe(false);
    const packed = gzipSync('a,b\n1,2\n');
    publisher.put('/export', packed);
    await taken('http', '/export', 'b.csv.gz');
    expect(readFileSync(join(sources, 'b.csv.gz')).equals(packed)).toBe(true);
  });

  it('is refused where what came is a page, was cut off, or should have been compressed', async () => {
    publisher.put('/a.geojson', '<!DOCTYPE html><html></html>');
    await expect(taken('http', '/a.geojson', 'a.geojson.gz')).rejects.toThrow(/a page came instead of a\.geojson/);
    publisher.put('/a.geojson', '{"type":"FeatureCollection","features":[');
    await expect(taken('http', '/a.geojson', 'a.geojson.gz')).rejects.toThrow(/cut off/);
    publisher.put('/b.csv.gz', 'a,b\n');
    await expect(taken('http', '/b.csv.gz', 'b.csv.gz')).rejects.toThrow(/no gz file/);
    expect(readdirSync(sources)).toEqual([]);
  });
});
