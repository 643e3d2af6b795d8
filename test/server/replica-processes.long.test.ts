import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { claim } from '../../pipelines/release/push/claim.ts';
import { S3Store } from '../../query/release/store/s3-store.ts';
import { until } from '../contract/plat.ts';
import { freePort } from '../free-port.ts';
import { publishedVillage } from '../pipelines/push/published-village.ts';
import { pushed } from '../query/release/pull/pulled-home.ts';
import { useS3Double } from '../query/release/store/s3-double.ts';
import { useReplicaServers } from './replica-servers.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-replica-processes-'));
const double = useS3Double();
// Registered first, and so done last.
afterAll(() => rmSync(work, { recursive: true, force: true }));
const started = useReplicaServers();

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
