import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { plat, type Served, serve } from '../../contract/plat.ts';
import { syntheticHome } from '../../synthetic-home.ts';

const ROWS = 12_000;
const FIELDS = ['county_name', 'fema_flood_zone', 'nearest_road_distance_m', 'nearest_sfha_distance_m', 'elevation'];

let home: string;
let token: string;
let served: Served;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plat-export-kill-'));
  cpSync((await syntheticHome()).home, home, { recursive: true });
  token = plat(home, 'token', 'create', '--account', 'someone@example.org', '--plan', 'scale').stdout.trim();
  served = await serve(home);
}, 240_000);
afterAll(async () => {
  served.child.kill('SIGKILL');
  await served.ended;
  rmSync(home, { recursive: true, force: true });
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${served.address}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
  });
const read = async (path: string) => (await call(path)).json() as Promise<Standing>;

interface Standing {
  readonly status: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly counts: { readonly rows_ok: number; readonly values_ok: number; readonly values_absent: number };
  readonly error: unknown;
}

it('an export whose server is killed twice goes on where it was: every row once, charged once', async () => {
  const lines = Array.from({ length: ROWS }, (_, i) => `r${i},${43.08 + (i % 200) / 5_000},${-70.8 + i / 300_000}`);
  const upload = await call('/v1/uploads', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: ['custom_id,lat,lng', ...lines].join('\n'),
  });
  const { upload_id, rows } = (await upload.json()) as { upload_id: string; rows: number };
  expect(rows).toBe(ROWS);
  const submitted = await call('/v1/exports', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ upload_id, fields: FIELDS, format: 'csv' }),
  });
  const { poll } = (await submitted.json()) as { poll: string };
  for (const least of [1, 4_000]) {
    await vi.waitFor(async () => expect((await read(poll)).progress.done).toBeGreaterThanOrEqual(least), {
      timeout: 120_000,
      interval: 20,
    });
    served.child.kill('SIGKILL');
    await served.ended;
    served = await serve(home);
  }
  await vi.waitFor(async () => expect((await read(poll)).status).toBe('done'), { timeout: 240_000, interval: 200 });
  const done = await read(poll);
  expect(done).toMatchObject({ progress: { done: ROWS, total: ROWS }, counts: { rows_ok: ROWS }, error: null });
  const csv = parse(await (await call(`${poll}/files/export.csv`)).text(), { columns: true }) as {
    custom_id: string;
  }[];
  expect(csv.map(row => row.custom_id)).toEqual(lines.map(line => line.split(',')[0]));
  const usage = (await (await call('/v1/users/me/usage')).json()) as { credits_used: number };
  expect(usage.credits_used).toBe(done.counts.values_ok + done.counts.values_absent);
  expect(readdirSync(join(home, 'exports'))).toEqual([]);
}, 600_000);
