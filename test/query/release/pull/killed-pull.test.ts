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

const work = mkdtempSync(join(tmpdir(), 'plat-killed-pull-'));
const double = useS3Double();
let home: string;

beforeAll(async () => {
  home = await publishedVillage(join(work, 'publisher'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

it('a pull that is killed while files come leaves nothing half, and the next one goes on', async () => {
  const store = new S3Store('s3://bucket/killed');
  const id = await pushed(store, home);
  await killAtRequests(double(), store, join(work, 'cut'), id, [{ request: /^GET .*\/files\//, nth: 3 }]);
});

it('a pull that is killed between its release and its record leaves nothing half, and the next one ends it', async () => {
  const store = new FolderStore(join(work, 'store'));
  const id = await pushed(store, home);
  await killBeforeRenames(store, join(work, 'ended'), id, ['/current', '/pulled.json']);
});
