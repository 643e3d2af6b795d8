import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { platBeside, serve } from '../../contract/plat.ts';
import { FILES, village, writeFiles } from '../../pipelines/village.ts';
import { syntheticHome } from '../../synthetic-home.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-end-'));
const ENDED = 'ended by itself';
beforeAll(async () => {
  cpSync((await syntheticHome()).home, home, { recursive: true });
  const probe = join(home, 'probe.mjs');
  writeFileSync(probe, `process.on('beforeExit', () => process.stderr.write('${ENDED}'));`);
  process.env.NODE_OPTIONS = `--import=${pathToFileURL(probe)}`;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it.each(['token create --account a@example.org', 'release verify', 'place list', 'sql SELECT(1)'])(
  'plat %s leaves nothing open: exit() may wait forever for a thread that compiles',
  async words => {
    const { status, stderr } = await platBeside(home, ...words.split(' '));
    expect([status, stderr]).toEqual([0, expect.stringContaining(ENDED)]);
  },
);

it('an ingest leaves nothing open, whether it succeeds or fails', async () => {
  const sources = join(home, 'village');
  writeFiles(sources, FILES);
  const place = join(sources, 'village.json');
  writeFileSync(place, JSON.stringify(village));
  for (const [file, code] of [
    [place, 0],
    [join(sources, 'zoning.geojson'), 1],
  ] as const) {
    const { status, stderr } = await platBeside(
      join(home, 'own'),
      'ingest',
      'run',
      '--sources',
      sources,
      '--place-file',
      file,
    );
    expect([status, stderr]).toEqual([code, expect.stringContaining(ENDED)]);
  }
});

it('a server that was told to end leaves nothing open', async () => {
  const served = await serve(home);
  expect((await fetch(`${served.address}/v1/meta/fields`)).status).toBe(200);
  served.child.kill('SIGTERM');
  expect(await served.ended).toEqual({ code: 0, stderr: expect.stringContaining(ENDED) });
});
