import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from '../../../datasets/geometry.ts';
import { Client } from '../../../ingest/acquire/client.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { placeOf, writePlaces } from './places-parquet.ts';
import { type Handler, Publisher } from './publisher.ts';

const publisher = new Publisher();
const folder = mkdtempSync(join(tmpdir(), 'plat-bucket-'));
const FILES = ['part-0.parquet', 'part-1.parquet'];
const ROWS = 12_000;
let sources: string;

beforeAll(async () => {
  await publisher.start();
  for (const [i, name] of FILES.entries()) await writePlaces(join(folder, name), (i * ROWS) / 2, ((i + 1) * ROWS) / 2);
});
beforeEach(() => {
  sources = mkdtempSync(join(folder, 's-'));
  publisher.handlers.clear();
  publisher.faults.clear();
  publisher.log.length = 0;
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

const PREFIX = 'release/2026-11-18.0/theme=places/type=place/';

/** A bucket as Amazon S3 answers: API reference of ListObjectsV2 and GetObject, with two pages of one file each. */
function serve(etag = '"one"'): void {
  publisher.handlers.set('/', (_, response, { searchParams }) => {
    const second = searchParams.get('continuation-token') === 'a+b/=';
    const name = FILES[second ? 1 : 0]!;
    const bytes = readFileSync(join(folder, name)).length;
    response.end(`<?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>places</Name><Prefix>${searchParams.get('prefix')}</Prefix>
      <IsTruncated>${!second}</IsTruncated>${second ? '' : '<NextContinuationToken>a+b/=</NextContinuationToken>'}
      <Contents><Key>${PREFIX}${name}</Key><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${bytes}</Size></Contents>
      <Contents><Key>${PREFIX}_SUCCESS</Key><ETag>&quot;0&quot;</ETag><Size>0</Size></Contents></ListBucketResult>`);
  });
  for (const name of FILES) publisher.handlers.set(`/${PREFIX.replaceAll('=', '%3D')}${name}`, ranged(name, etag));
}
const ranged =
  (name: string, etag: string): Handler =>
  ({ headers }, response) => {
    const body = readFileSync(join(folder, name));
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')!;
    if (headers['if-match'] !== etag) return void response.writeHead(412).end();
    const part = body.subarray(Number(first), Number(last) + 1);
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${body.length}`;
    response.writeHead(206, { 'content-range': range, 'content-length': part.length }).end(part);
  };

const taking = (box: Box | null, retries = 1) =>
  take({
    ...{ sources, file: 'places.geojson', taken: new TakenFiles(sources), now: () => new Date('2026-11-28T06:00:00Z') },
    client: new Client({ wait: async () => {}, retries }),
    located: {
      ...{ via: 'parquet', url: `${publisher.origin}/?list-type=2&prefix=${PREFIX}`, where: '', vintage: null, box },
      resource: 'id,names,categories,taxonomy,confidence',
    },
  });

/** The eastern edge of the first row group and beyond it, so that groups of it are read and others not. */
const BOX: Box = [-100, 25.35, -90, 25.65];
const within = ([west, south, east, north]: Box) =>
  Array.from({ length: ROWS }, (_, i) => placeOf(i)).filter(
    ({ x, y }) => x >= west && x <= east && y >= south && y <= north,
  );

describe('GeoParquet of a public bucket', () => {
  const bytesAsked = () =>
    publisher.log
      .map(({ headers }) => /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? ''))
      .reduce((sum, range) => sum + (range ? Number(range[2]) - Number(range[1]) + 1 : 0), 0);

  it('is cut by the boxes of its rows, and read where they are', async () => {
    serve();
    const { taken } = await taking(BOX);
    const expected = within(BOX);
    expect(expected.length).toBeGreaterThan(200);
    expect(taken.rows).toBe(expected.length);
    const { features } = JSON.parse(readFileSync(join(sources, 'places.geojson'), 'utf8'));
    expect(features.map(({ properties }: { properties: { id: string } }) => properties.id)).toEqual(
      expected.map(({ id }) => id),
    );
    const { x, y, name, id } = expected[0]!;
    expect(features[0]).toMatchObject({
      geometry: { type: 'Point', coordinates: [x, y] },
      properties: { id, 'names.primary': name, 'taxonomy.hierarchy': ['shop', 'store'] },
    });
    expect(Object.keys(features[0].properties)).not.toContain('sources');
    // The ends of the files, and the columns of two row groups of six.
    const whole = FILES.reduce((sum, file) => sum + readFileSync(join(folder, file)).length, 0);
    expect(bytesAsked()).toBeLessThan(whole / 2);
    publisher.log.length = 0;
    expect((await taking(BOX)).isNew).toBe(false);
    expect(bytesAsked()).toBe(0);
  });

  it('goes on with the next file after a run that ended, and is read anew when it was replaced', async () => {
    serve();
    const second = `/${PREFIX.replaceAll('=', '%3D')}${FILES[1]}`;
    publisher.handlers.set(second, (_, response) => void response.destroy());
    const box: Box = [-125, 25, -65, 27];
    await expect(taking(box)).rejects.toMatchObject({ kind: 'unreachable' });
    serve();
    publisher.log.length = 0;
    expect((await taking(box)).taken.rows).toBe(within(box).length);
    expect(publisher.log.filter(({ path }) => path.includes(FILES[0]!))).toEqual([]);
    serve('"two"');
    publisher.handlers.set(second, ranged(FILES[1]!, '"three"'));
    await expect(taking(box)).rejects.toThrow(/was replaced while it was read/);
  });

  it('is refused where it is no listing, is empty, has no ground, or is not sent by ranges', async () => {
    await expect(taking(null)).rejects.toThrow(/cut by ground, and none is given/);
    publisher.handlers.set('/', (_, response) => void response.end('<Error><Code>NoSuchBucket</Code></Error>'));
    await expect(taking(BOX)).rejects.toThrow(/is no listing of a bucket/);
    publisher.handlers.set('/', (_, response) => void response.end('<ListBucketResult></ListBucketResult>'));
    await expect(taking(BOX)).rejects.toMatchObject({ kind: 'gone' });
    serve();
    for (const name of FILES)
      publisher.handlers.set(`/${PREFIX.replaceAll('=', '%3D')}${name}`, (_, response) => {
        response.end(readFileSync(join(folder, name)));
      });
    await expect(taking(BOX)).rejects.toThrow(/is not sent by ranges/);
    expect(readdirSync(sources).filter(name => name === 'places.geojson')).toEqual([]);
  });
});
