import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { FolderStore } from '../../../../query/release/store/folder-store.ts';
import { S3Store } from '../../../../query/release/store/s3-store.ts';
import { publishedVillage } from '../../../pipelines/push/published-village.ts';
import { useS3Double } from '../store/s3-double.ts';
import { killAtRequests, killBeforeRenames } from './killed-pulls.ts';
import { pushed } from './pulled-home.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-killed-pulls-'));
const double = useS3Double();
let home: string;

beforeAll(async () => {
  home = await publishedVillage(join(work, 'publisher'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

it('a pull may be killed at every request', async () => {
  const store = new S3Store('s3://bucket/killed');
  const id = await pushed(store, home);
  const moments = [
    { request: /^LIST/, nth: 1 },
    { request: /^GET .*\/releases\//, nth: 1 },
    { request: /^GET .*\/manifests\//, nth: 1 },
    ...[1, 2, 3, 1, 2, 1].map(nth => ({ request: /^GET .*\/files\//, nth })),
  ];
  await killAtRequests(double(), store, join(work, 'cut'), id, moments);
}, 120_000);

it('a pull may be killed before every rename', async () => {
  const store = new FolderStore(join(work, 'store'));
  const id = await pushed(store, home);
  const names = ['.fgb', '/published', `/${id}.json`, '/current', '/published', '/pulled.json', '/pulled.json'];
  await killBeforeRenames(store, join(work, 'ended'), id, names);
}, 120_000);
