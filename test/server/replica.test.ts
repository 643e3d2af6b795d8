import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claim } from '../../pipelines/release/push/claim.ts';
import { rollBack } from '../../pipelines/release/rollback.ts';
import { FolderStore } from '../../query/release/store/folder-store.ts';
import { S3Store } from '../../query/release/store/s3-store.ts';
import { plat, until } from '../contract/plat.ts';
import { freePort } from '../free-port.ts';
import { publishedVillage } from '../pipelines/push/published-village.ts';
import { expectPulled, pushed } from '../query/release/pull/pulled-home.ts';
import { useS3Double } from '../query/release/store/s3-double.ts';
import { syntheticHome } from '../synthetic-home.ts';
import { expectSameAnswers, NAMES, placeIn, useReplicaServers } from './replica-servers.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-replica-'));
const publisher = join(work, 'publisher');
const double = useS3Double();
// Registered first, and so done last.
afterAll(() => rmSync(work, { recursive: true, force: true }));
const started = useReplicaServers();
/** Everything that there is to answer; a village where there is little time. */
const LONG = process.env.PLAT_TEST === 'long';

beforeAll(async () => {
  if (LONG) cpSync((await syntheticHome()).home, publisher, { recursive: true });
  else await publishedVillage(publisher);
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

it('several processes have one puller, and each of them tells what it cannot pull', async () => {
  const store = new S3Store('s3://bucket/replica');
  const village = await publishedVillage(join(work, 'village'));
  const first = await pushed(store, village);
  const metrics = await freePort();
  const c = await started(join(work, 'c'), {
    PLAT_RELEASES: store.name,
    PLAT_PROCESSES: '2',
    PLAT_METRICS_PORT: String(metrics),
    PLAT_LOG: 'info',
  });
  let log = '';
  c.child.stderr!.on('data', chunk => (log += chunk));
  await c.answers(first);
  await claim(store, { release: '20261120-00000009', manifestSha256: '0'.repeat(64) }, () => true);
  await until(c.ready, ({ json }) => json.status === 'degraded');
  const problem = 'the store lacks the manifest of 20261120-00000009; push it again';
  for (let i = 0; i < 4; i++)
    expect(await c.ready()).toMatchObject({
      code: 200,
      json: { status: 'degraded', release: first, damage: [{ file: 'store', layers: [], problem }] },
    });
  // Processes that start do not answer yet.
  const told = await until(
    async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text(),
    text => text.includes('plat_replica_number'),
  );
  expect(told).toMatch(/^plat_replica_number 1$/m);
  expect(told).toMatch(/^plat_replica_failing 1$/m);
  expect(told).toMatch(/^plat_replica_bytes_total [1-9]\d+$/m);
  await publishedVillage(village, 30);
  await c.answers(await pushed(store, village));
  expect(log.match(/"msg":"the last release of the store is not pulled"/g)).toHaveLength(1);
  expect(log.match(/"msg":"releases are pulled again"/g)).toHaveLength(1);
  // One process pulls: each manifest was read once, but for the one that was not there.
  const manifests = double().requests.filter(request => /^GET replica\/manifests\/(?!0{64})/.test(request));
  expect(manifests).toHaveLength(2);
  c.child.kill('SIGTERM');
  const { code, stderr } = await c.ended;
  expect(code, stderr).toBe(0);
});

it('a home with releases of its own is no replica, and an address of another kind is no store', async () => {
  const home = join(work, 'own');
  await publishedVillage(home);
  const folder = join(work, 'empty-store');
  const refused = plat(home, 'serve', '--releases', folder);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('releases that the store never had')]);
  const wrong = plat(home, 'serve', '--releases', 'https://example.org/');
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('expected s3://bucket/prefix')]);
});
