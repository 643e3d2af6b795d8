import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { plat, start } from '../contract/plat.ts';
import { answered, ask, type Crew, eventually, runs, serveCrew } from './crew.ts';
import { begin, refused } from './http/running-request.ts';

let home: string;
let token: string;
let keeper: Crew;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'plat-processes-'));
  token = plat(home, 'token', 'create', '--account', 'a@b.org').stdout.trim();
});
afterEach(() => {
  keeper.child.kill('SIGKILL');
});
afterAll(() => rmSync(home, { recursive: true }));

it('a terminal that interrupts all of them at once lets them finish too', async () => {
  keeper = await serveCrew(home);
  await answered(keeper, 2);
  const running = [await begin(keeper.port, token), await begin(keeper.port, token)];
  for (const pid of [...keeper.pids('request'), keeper.child.pid!]) process.kill(pid, 'SIGINT');
  await eventually(() => refused(keeper.port));
  for (const { finish } of running) finish();
  for (const { reply } of running) expect(await reply).toMatch(/HTTP\/1\.1 200 OK/);
  expect((await keeper.ended).code).toBe(0);
});

it('one that dies is replaced while the other one answers, and a second signal ends all', async () => {
  keeper = await serveCrew(home);
  await answered(keeper, 2);
  const [first, second] = keeper.pids('request') as [number, number];
  process.kill(first, 'SIGKILL');
  await eventually(() => !runs(first));
  for (let i = 0; i < 10; i++) expect(await ask(keeper)).toBe(200);
  await answered(keeper, 3);
  expect(runs(second)).toBe(true);
  expect(keeper.warnings()).toBe(1);
  const { reply } = await begin(keeper.port, token);
  keeper.child.kill('SIGTERM');
  await eventually(() => refused(keeper.port));
  keeper.child.kill('SIGTERM');
  expect(await reply).not.toContain('HTTP/1.1 200');
  expect((await keeper.ended).code).toBe(1);
  await eventually(() => !keeper.pids('request').some(runs));
});

it('full ones refuse connections instead of handing them on in a circle, and none outlives its keeper', async () => {
  keeper = await serveCrew(home, { PLAT_MAX_CONNECTIONS: '1' });
  // The first was listening before its log was read.
  await eventually(() => keeper.pids('listening').length === 1);
  const running = [await begin(keeper.port, token), await begin(keeper.port, token)];
  const socket = connect(keeper.port, '127.0.0.1');
  await new Promise(resolve => socket.once('close', resolve));
  for (const { finish } of running) finish();
  await eventually(() => keeper.pids('request').length === 2);
  keeper.child.kill('SIGKILL');
  await eventually(() => !keeper.pids('request').some(runs));
  expect(await refused(keeper.port)).toBe(true);
});

it('tell their metrics together, on one port', async () => {
  const port = await new Promise<number>(resolve => {
    const free = createServer().listen(0, '127.0.0.1', () => {
      const { port: found } = free.address() as { port: number };
      free.close(() => resolve(found));
    });
  });
  keeper = await serveCrew(home, { PLAT_METRICS_PORT: String(port) });
  await answered(keeper, 2);
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (text: string, name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  await eventually(async () => value(await metrics(), 'plat_workers') === 2);
  const counted = 'plat_requests_total\\{route="/healthz",method="GET",status="200"\\}';
  const before = value(await metrics(), counted);
  for (let i = 0; i < 10; i++) expect(await ask(keeper)).toBe(200);
  const text = await metrics();
  expect(value(text, counted)).toBe(before + 10);
  // One store, and it answers.
  expect(value(text, 'plat_state_up')).toBe(1);
});

it('a port that is taken ends the start with one line', async () => {
  const other = createServer();
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const child = start(home, ['serve'], { PLAT_PROCESSES: '2', PLAT_LOG: 'error', PORT: String(port) });
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', chunk => {
      text += chunk;
    });
  expect(await new Promise(resolve => child.once('close', resolve))).toBe(1);
  expect(text).toMatch(/^[^\n]*EADDRINUSE[^\n]*\n$/);
  await new Promise(resolve => other.close(resolve));
});
