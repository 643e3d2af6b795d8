import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rollBack } from '../../pipelines/release/rollback.ts';
import { FolderStore } from '../../query/release/store/folder-store.ts';
import { plat } from '../contract/plat.ts';
import { publishedVillage } from '../pipelines/push/published-village.ts';
import { expectPulled, pushed } from '../query/release/pull/pulled-home.ts';
import { syntheticHome } from '../synthetic-home.ts';
import { expectSameAnswers, NAMES, placeIn, useReplicaServers } from './replica-servers.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-replica-'));
const publisher = join(work, 'publisher');
// Registered first, and so done last.
afterAll(() => rmSync(work, { recursive: true, force: true }));
const started = useReplicaServers();

beforeAll(async () => {
  cpSync((await syntheticHome()).home, publisher, { recursive: true });
});

it('a replica with an empty home waits, then answers as the publisher does, and follows it without a failed request', async () => {
  const store = new FolderStore(join(work, 'store'));
  const [a, b] = [await started(publisher), await started(join(work, 'b'), { PLAT_RELEASES: store.name })];
  expect(await b.ready()).toMatchObject({ code: 503, json: { detail: { error: 'not_ready' } } });
  expect(JSON.stringify((await b.ready()).json)).toContain('the first release is waited for');
  const first = await pushed(store, publisher);
  await b.answers(first);
  expectPulled(join(work, 'b'), first);
  const place = placeIn(publisher);
  await expectSameAnswers(a, b, place);

  let asking = true;
  const codes: number[] = [];
  const asked = (async () => {
    for (let i = 0; asking; i++) {
      codes.push((await b.at(NAMES.slice(0, 5), [place[0], place[1] + i * 1e-7])).code);
      await sleep(5);
    }
  })();
  await publishedVillage(publisher, 20);
  const second = await pushed(store, publisher);
  await b.answers(second);
  await rollBack(join(publisher, 'releases'), first);
  await pushed(store, publisher);
  await b.answers(first);
  asking = false;
  await asked;
  expect([...new Set(codes)]).toEqual([200]);
  // Cursors of the one before live for an hour.
  expect(readdirSync(join(work, 'b', 'releases'))).toContain(`${second}.json`);
}, 300_000);

it('a home with releases of its own is no replica, and an address of another kind is no store', async () => {
  const home = join(work, 'own');
  await publishedVillage(home);
  const folder = join(work, 'empty-store');
  const refused = plat(home, 'serve', '--releases', folder);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('releases that the store never had')]);
  const wrong = plat(home, 'serve', '--releases', 'https://example.org/');
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('expected s3://bucket/prefix')]);
});
