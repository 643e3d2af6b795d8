import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { S3Store } from '../../query/release/store/s3-store.ts';
import { plat, type Served, serve, until } from '../contract/plat.ts';
import { publishedVillage } from '../pipelines/push/published-village.ts';
import { expectPulled, pushed } from '../query/release/pull/pulled-home.ts';
import { useS3Double } from '../query/release/store/s3-double.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-replica-long-'));
const [publisher, home] = [join(work, 'publisher'), join(work, 'replica')];
const double = useS3Double();
let served: Served;

beforeAll(async () => {
  await publishedVillage(publisher);
});
afterAll(() => {
  served?.child.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
});

it('ten releases in a row are served in order, whole, without a failed request while they change', async () => {
  const store = new S3Store('s3://bucket/ten');
  const token = plat(home, 'token', 'create', '--account', 'a@b.org', '--plan', 'market').stdout.trim();
  served = await serve(home, {
    PLAT_RELEASES: store.name,
    PLAT_RELEASES_POLL_MS: '300',
    PLAT_RATE_LIMIT: 'off',
    PLAT_PROCESSES: '2',
  });
  const ready = async () =>
    (await (await fetch(`${served.address}/readyz`, { headers: { connection: 'close' } })).json()) as {
      release?: string;
    };
  const first = await pushed(store, publisher);
  await until(ready, ({ release }) => release === first);
  let asking = true;
  const codes: number[] = [];
  const failed: unknown[] = [];
  const asked = (async () => {
    for (let i = 0; asking; i++) {
      const reply = await fetch(`${served.address}/v1/fetch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          lng: -69 + (i % 1000) * 1e-6,
          lat: 44.0005,
          fields: ['nwi_wetland_type', 'within_nwi_wetland'],
        }),
      });
      codes.push(reply.status);
      const { fields } = (await reply.json()) as { fields: Record<string, { status: string }> };
      for (const [name, answer] of Object.entries(fields)) if (answer.status === 'failed') failed.push([name, answer]);
    }
  })();
  const seen = [first];
  for (let n = 1; n <= 10; n++) {
    await publishedVillage(publisher, 20 * n);
    // Now and then the store fails.
    double().faults.GET.push('short', 503);
    const next = await pushed(store, publisher);
    const { release } = await until(ready, reply => reply.release === next);
    seen.push(release!);
    expectPulled(home, next);
  }
  asking = false;
  await asked;
  expect(new Set(seen).size).toBe(11);
  expect([...new Set(codes)]).toEqual([200]);
  expect(codes.length).toBeGreaterThan(20);
  expect(failed).toEqual([]);
}, 300_000);
