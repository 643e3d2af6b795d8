import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { commands } from '../../pipelines/commands.ts';
import { program } from '../../plat.ts';
import { Publisher } from '../ingest/acquire/publisher.ts';
import { FILES } from './village.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-shire-'));
const publisher = new Publisher();
const before = { ...process.env };
afterAll(async () => {
  for (const name of ['PLAT_HOME', 'PLAT_MIRROR'])
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('every command of docs/refresh.md does what the page says, one after the other', { timeout: 240_000 }, async () => {
  await publisher.start();
  for (const [name, features] of Object.entries(FILES))
    publisher.put(
      `/gis/${name}`,
      JSON.stringify({ type: 'FeatureCollection', features: features.filter(f => f.geometry) }),
    );
  process.env.PLAT_HOME = join(folder, 'home');
  process.env.PLAT_MIRROR = `gis.shire.example=${publisher.origin}`;
  const path = join(folder, 'shire.yaml');
  const page = readFileSync(new URL('../../docs/refresh.md', import.meta.url), 'utf8');
  let place = null as { files: object; layers: unknown[] } | null;
  const ran: string[] = [];
  for (const [, kind, text] of page.matchAll(/```(yaml|sh)\n(.*?)```/gs)) {
    if (kind === 'yaml') {
      const said = parse(text!) as { files: object; layers: unknown[] };
      place = place
        ? { ...place, files: { ...place.files, ...said.files }, layers: [...place.layers, ...said.layers] }
        : said;
      writeFileSync(path, stringify(place));
      continue;
    }
    for (const line of text!.trim().split('\n')) {
      const args = line.replace('shire.yaml', path).split(' ').slice(1);
      // Bow-ties and the like of the village are rejected on purpose.
      const accept = line.startsWith('plat ingest run')
        ? ['--accept', 'shire-me/usfws_nwi:main', '--threads', '0']
        : [];
      let code = -1;
      await program(commands, ended => {
        code = ended;
      }).parseAsync([...args, ...accept], { from: 'user' });
      expect(code, line).toBe(0);
      ran.push(line);
    }
  }
  expect(ran.length).toBeGreaterThan(14);
});
