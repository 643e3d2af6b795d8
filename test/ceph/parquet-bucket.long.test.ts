import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutBucketAclCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from '../../datasets/geometry.ts';
import { placeOf, writePlaces } from '../ingest/acquire/places-parquet.ts';
import { Taking } from '../ingest/acquire/programs/taking.ts';
import { useGateway } from './radosgw.ts';

const PREFIX = 'release/2026-11-18.0/theme=places/type=place/';
const [FILES, ROWS] = [5, 20_000];

describe("GeoParquet of a public bucket of Ceph's gateway", { tags: ['Ceph'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-places-'));
  const gateway = useGateway('places');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const client = () => new S3Client({ forcePathStyle: true });
  const put = async (i: number, from: number, to: number) => {
    const path = join(folder, `part-${i}.parquet`);
    await writePlaces(path, from, to);
    const s3 = client();
    await s3.send(
      new PutObjectCommand({
        ...{ Bucket: 'places', Key: `${PREFIX}part ${i}+é.parquet`, Body: readFileSync(path), ACL: 'public-read' },
      }),
    );
    s3.destroy();
  };
  beforeAll(async () => {
    const s3 = client();
    await s3.send(new PutBucketAclCommand({ Bucket: 'places', ACL: 'public-read' }));
    s3.destroy();
    for (let i = 0; i < FILES; i++) await put(i, i * ROWS, (i + 1) * ROWS);
  });

  const box: Box = [-101, 30.05, -90, 31.45];
  const within = (to: number) =>
    Array.from({ length: to }, (_, i) => placeOf(i))
      .filter(({ x, y }) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])
      .map(({ id }) => id);

  it('is cut by anybody, in pages of its listing, and read anew when a file was replaced', async () => {
    const url = `${gateway().env.AWS_ENDPOINT_URL_S3}/places/?list-type=2&max-keys=2&prefix=${PREFIX}`;
    const more = { via: 'parquet', box, resource: 'id,names,taxonomy,confidence' } as const;
    const taking = new Taking();
    const { taken } = await taking.take(url, 'p.geojson', more);
    const idsIn = () =>
      (JSON.parse(taking.read('p.geojson').toString()) as { features: { properties: { id: string } }[] }).features.map(
        ({ properties }) => properties.id,
      );
    const expected = within(FILES * ROWS);
    expect(expected.length).toBeGreaterThan(1500);
    expect(taken.rows).toBe(expected.length);
    expect(idsIn()).toEqual(expected);
    expect((await taking.take(url, 'p.geojson', more)).isNew).toBe(false);
    await put(FILES - 1, (FILES - 1) * ROWS, FILES * ROWS - 500);
    expect((await taking.take(url, 'p.geojson', more)).isNew).toBe(false);
    await put(2, 2 * ROWS, 2 * ROWS + 10);
    await taking.take(url, 'p.geojson', more);
    expect(idsIn().length).toBeLessThan(expected.length);
  });

  it('that is closed says so', async () => {
    const s3 = client();
    await s3.send(new PutBucketAclCommand({ Bucket: 'places', ACL: 'private' }));
    s3.destroy();
    const url = `${gateway().env.AWS_ENDPOINT_URL_S3}/places/?list-type=2&prefix=${PREFIX}`;
    await expect(new Taking().take(url, 'p.geojson', { via: 'parquet', box })).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });
});
