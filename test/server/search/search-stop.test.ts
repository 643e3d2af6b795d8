import { request } from 'node:http';
import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { startServer } from '../../../server/service.ts';
import { writeParcelRelease } from '../../query/search/parcel-release.ts';
import { slowAreas, squares } from '../../query/search/slow.ts';

it('a client that hangs up stops the work itself, not only its answer', async () => {
  const PARCELS = 4000;
  const county = { state: 'ME', fips: '23009', place: 'p23009', parcels: squares(PARCELS, -68, 'z') };
  const release = await writeParcelRelease([county]);
  // Counted by the worker, in memory that it shares with this test.
  const judged = new Int32Array(new SharedArrayBuffer(4));
  const service = await startServer(
    readSettings({
      PLAT_HOME: release.home,
      PORT: '0',
      PLAT_WORKERS: '1',
      PLAT_LOG: 'silent',
      PLAT_RATE_LIMIT: 'off',
      PLAT_SEARCH_MAX_VERTICES: '100000',
      PLAT_BODY_LIMIT: '10000000',
    }),
    catalog,
    async options => {
      const engine = await createEngine(options);
      return { ...engine, search: (asked, terms) => engine.search(asked, { ...terms, progress: judged }) };
    },
  );
  try {
    const token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'scale'));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const areas = slowAreas().map(value => ({ field: 'geometry', op: 'within', value }));
    const slow = JSON.stringify({ filters: [{ field: 'state', op: 'eq', value: 'ME' }, ...areas] });
    const client = request(`${service.address}/v1/search`, { method: 'POST', headers });
    client.on('error', () => {});
    client.end(slow);
    while (Atomics.load(judged, 0) === 0) await new Promise(resolve => setTimeout(resolve, 1));
    client.destroy();
    await new Promise(resolve => setTimeout(resolve, 50));
    const then = Atomics.load(judged, 0);
    expect(then).toBeLessThan(PARCELS);
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(Atomics.load(judged, 0)).toBe(then);
    // The one worker is free for the next request.
    const body = JSON.stringify({ filters: [{ field: 'state', op: 'eq', value: 'ME' }], limit: 1 });
    const next = await fetch(`${service.address}/v1/search`, { method: 'POST', headers, body });
    expect([next.status, ((await next.json()) as { matches: unknown[] }).matches.length]).toEqual([200, 1]);
  } finally {
    await service.drain(1000);
    release.remove();
  }
});
