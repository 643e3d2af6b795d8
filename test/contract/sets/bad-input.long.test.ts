import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syntheticHome } from '../../synthetic-home.ts';
import { plat, type Served, serve, until } from '../plat.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-bad-sets-'));
const home = join(folder, 'home');
const STATE = { field: 'state', op: 'eq', value: 'ME' };
let server: Served;
let token: string;
beforeAll(async () => {
  cpSync((await syntheticHome()).home, home, { recursive: true });
  server = await serve(home);
}, 300_000);
afterAll(async () => {
  server?.child.kill('SIGTERM');
  await server?.ended;
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** From now on another account of a plan asks. */
const asPlan = (plan: string) => {
  token = plat(home, 'token', 'create', '--account', `${plan}@example.org`, '--plan', plan).stdout.trim();
};
async function call(path: string, body?: unknown, type = 'application/json', method = body ? 'POST' : 'GET') {
  const response = await fetch(server.address + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': type } : {}) },
    ...(body ? { body: type === 'application/json' ? JSON.stringify(body) : (body as string | Buffer) } : {}),
  } as RequestInit);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, text, body: isJson ? JSON.parse(text) : null };
}
const upload = (body: string | Buffer, type = 'text/csv') => call('/v1/uploads', body, type);
const used = async () => (await call('/v1/users/me/usage')).body.credits_used as number;
/** Follows an export to its end. */
const ended = (poll: string) =>
  until(
    async () => (await call(poll)).body,
    ({ status }) => status === 'done' || status === 'failed',
  );

describe('bad input about sets, to a server', () => {
  it('an export over the allowance is refused before anything is made or held', async () => {
    asPlan('free');
    const rows = ['lat,lng', ...Array.from({ length: 600 }, (_, i) => `43.${1000 + i},-70.7`)].join('\n');
    const { upload_id } = (await upload(rows)).body;
    const dear = await call('/v1/exports', { upload_id, fields: ['elevation', 'slope_degrees'], format: 'csv' });
    expect([dear.status, dear.body.detail]).toMatchObject([
      402,
      { error: 'credits_exhausted', credits_required: 1200 },
    ]);
    expect([await used(), (await call('/v1/exports')).body.exports]).toEqual([0, []]);
  });

  it.each([
    ['a row more than may be', `lat,lng\n${'44,-68\n'.repeat(100_001)}`, 413, { error: 'upload_too_large' }],
    [
      'ids that repeat',
      'custom_id,lat,lng\na,1,1\na,1,1',
      422,
      { error: 'upload_invalid', row: 2, column: 'custom_id' },
    ],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from('address\n1 Main St\n'), Buffer.from([0x52, 0xe9, 0x0a])]),
      422,
      { error: 'upload_invalid', row: 2 },
    ],
  ])('an upload with %s is refused', async (_, body, status, detail) => {
    const answer = await upload(body);
    expect([answer.status, answer.body.detail]).toMatchObject([status, detail]);
  });

  it('cells finer than there are, and a score by a field without any value, have their answers', async () => {
    const filters = [STATE];
    const lone = await call('/v1/aggregate', { filters, group_by: [{ h3: 11 }], measures: [{ op: 'count' }] });
    expect([lone.status, lone.body.detail.error]).toEqual([422, 'search_invalid_request']);
    const score = [{ field: 'deeded_acres', weight: 1, prefer: 'high' }];
    const ranked = await call('/v1/rank', { filters, score, limit: 3 });
    expect(ranked.status).toBe(200);
    expect(ranked.body.absent).toBe(ranked.body.considered);
    expect(ranked.body.matches.map((match: { score: unknown }) => match.score)).toEqual([null, null, null]);
    expect(ranked.body.warnings.join()).toMatch(/No parcel that passes has a value of deeded_acres/);
  });

  it('CQL2 with a function that is not there names it', async () => {
    const filter = encodeURIComponent("soundex(apn) = 'A'");
    const answer = await call(`/v1/ogc/collections/parcels/items?filter=${filter}`);
    expect([answer.status, answer.body.detail.error]).toEqual([400, 'ogc_invalid_request']);
    expect(answer.body.detail.message).toMatch(/soundex/i);
  });

  it('a formula in a cell comes back as text', async () => {
    asPlan('build');
    const { upload_id } = (await upload('custom_id,lat,lng\n"=1+1",43.11,-70.7\n@x,43.11,-70.7')).body;
    const { poll } = (await call('/v1/exports', { upload_id, fields: ['county_name'], format: 'csv' })).body;
    const { status, files } = await ended(poll);
    expect(status).toBe('done');
    const rows = parse((await call(`${poll}/files/${files[0].name}`)).text, { columns: true });
    expect((rows as { custom_id: string }[]).map(row => row.custom_id)).toEqual(["'=1+1", "'@x"]);
  }, 60_000);

  it('a polygon that crosses itself in row 70,000 fails alone, and is charged to nobody', async () => {
    asPlan('growth');
    const before = await used();
    const lines: string[] = [];
    for (let i = 1; i <= 70_010; i++) {
      const [x, y] = [-70.74 + (i % 300) / 10_000, 43.1 + Math.floor(i / 300) / 10_000];
      const [a, b, c, d] = [
        [x, y],
        [x + 1e-4, y],
        [x + 1e-4, y + 1e-4],
        [x, y + 1e-4],
      ];
      const ring = i === 70_000 ? [a, c, b, d, a] : [a, b, c, d, a];
      const geometry = { type: 'Polygon', coordinates: [ring] };
      lines.push(JSON.stringify({ custom_id: `${i}`, geometry }));
    }
    const sent = await upload(lines.join('\n'), 'application/x-ndjson');
    expect([sent.status, sent.body.rows]).toEqual([201, 70_010]);
    const asked = await call('/v1/exports', {
      upload_id: sent.body.upload_id,
      fields: ['county_name'],
      format: 'csv',
    });
    expect(asked.status, asked.text).toBe(202);
    for (let i = 0; i < 30; i++) if ((await ended(asked.body.poll)).status !== 'running') break;
    const done = await ended(asked.body.poll);
    expect(done).toMatchObject({ status: 'done', counts: { rows_ok: 70_009, rows_failed: 1 } });
    const rows = parse((await call(`${asked.body.poll}/files/${done.files[0].name}`)).text, { columns: true }) as {
      custom_id: string;
      status: string;
    }[];
    expect(rows.map(row => row.custom_id)).toEqual(Array.from({ length: 70_010 }, (_, i) => `${i + 1}`));
    expect(rows[69_999]!.status).toBe('failed:invalid_geometry');
    expect(rows[69_998]!.status).not.toContain('invalid_geometry');
    expect((await used()) - before).toBe(70_009);
  }, 600_000);

  it('an export whose disk is full goes on once there is room: every row once, charged once', {
    tags: ['tmpfs'],
    timeout: 300_000,
  }, async () => {
    asPlan('scale');
    const place = join(home, 'exports');
    mkdirSync(place, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place]);
    try {
      const before = await used();
      const text = [
        'custom_id,lat,lng',
        ...Array.from({ length: 9_000 }, (_, i) => `p${i},43.${1000 + (i % 900)},-70.7`),
      ];
      const { upload_id } = (await upload(text.join('\n'))).body;
      const { poll } = (await call('/v1/exports', { upload_id, fields: ['elevation'], format: 'csv' })).body;
      const parts = await until(
        async () => (await call(poll)).body,
        ({ progress, status }) => progress.done === 9_000 || status === 'failed',
      );
      expect([parts.status, parts.progress.done]).toEqual(['running', 9_000]);
      // It is tried again some times, and fails each time.
      await new Promise(resolve => setTimeout(resolve, 4_000));
      expect((await call(poll)).body).toMatchObject({ status: 'running', files: [] });
      execFileSync('mount', ['-o', 'remount,size=64m', place]);
      for (let i = 0; i < 8; i++) if ((await ended(poll)).status !== 'running') break;
      const done = await ended(poll);
      expect(done).toMatchObject({ status: 'done', error: null, progress: { done: 9_000, total: 9_000 } });
      const rows = parse((await call(`${poll}/files/${done.files[0].name}`)).text, { columns: true }) as {
        custom_id: string;
      }[];
      expect(rows.map(row => row.custom_id)).toEqual(Array.from({ length: 9_000 }, (_, i) => `p${i}`));
      expect((await used()) - before).toBe(9_000);
    } finally {
      execFileSync('umount', ['-l', place]);
    }
  });
});
