import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadCommands, program } from '../../plat.ts';
import { type ExampleGround, sampleOf } from '../../server/operation/operation.ts';
import { OPERATIONS } from '../../server/operations/registry.ts';
import { inThisProcess } from '../in-this-process.ts';
import { FILES, village, writeFiles } from '../pipelines/village.ts';
import { plat } from './plat.ts';

/** What examples are about: the village has parcels in Maine, and knows their state alone. */
const VILLAGE: ExampleGround = {
  spot: { lat: 44.8, lng: -68.77 },
  state: 'ME',
  address: null,
  filters: [{ field: 'state', op: 'eq', value: 'ME' }],
};

const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'plat-commands-'));
  folders.push(path);
  return path;
};
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** The document of a command. */
async function documentOf(
  home: string,
  name: string,
  options: Record<string, string>,
  args: string[] = [],
): Promise<unknown> {
  const { status, stdout, stderr } = await inThisProcess(home, name, { ...options, json: true }, args);
  const told = `plat ${name} said: ${stderr}${stdout.slice(0, 2_000)}`;
  expect({ name, status, lines: stdout.trimEnd().split('\n').length }, told).toEqual({ name, status: 0, lines: 1 });
  return JSON.parse(stdout);
}

describe('every command of plat', () => {
  it('helps, and says --json', async () => {
    const list = await loadCommands();
    const root = program(list, () => {});
    for (const { name, summary } of list) {
      const command = name.split(' ').reduce((node, word) => node.commands.find(c => c.name() === word)!, root);
      // Long summaries are wrapped.
      expect(command.helpInformation().replace(/\s+/g, ' ')).toContain(summary);
      expect(command.helpInformation()).toMatch(/^ {2}--json/m);
      expect(root.commands.find(c => c.name() === name.split(' ')[0])!.helpInformation()).toContain(
        name.split(' ').at(-1),
      );
    }
    const { status, stdout } = plat(folder(), '--help');
    expect({ status, stdout }).toEqual({ status: 0, stdout: root.helpInformation() });
    expect(plat(folder(), 'help', 'serve')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: plat serve'),
    });
  });

  it('prints one JSON document on stdout with --json, and ingests a place file in YAML as in JSON', async () => {
    const home = folder();
    const sources = folder();
    writeFiles(sources, FILES);
    const [yaml, json] = [join(sources, 'place.yaml'), join(sources, 'place.json')];
    writeFileSync(yaml, stringify(village));
    writeFileSync(json, JSON.stringify(village));
    const of = (...args: string[]) => {
      const { status, stdout, stderr } = plat(home, ...args, '--json');
      expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: expect.any(String) });
      expect(stdout.trimEnd().split('\n')).toHaveLength(1);
      return JSON.parse(stdout);
    };
    const ingest = (file: string) => of('ingest', 'run', '--sources', sources, '--place-file', file, '--threads', '0');
    const documents: Record<string, unknown> = { 'ingest run': ingest(yaml) };
    const { release } = documents['ingest run'] as { release: string };
    const B = { account: 'b@example.org' };
    const A = { account: 'a@example.org' };
    const published = { sources, placeFile: yaml };
    const out = (name: string) => join(folder(), name);
    const saved = out('saved');
    const question = (name: string, body: object) => {
      const file = join(folder(), `${name}.json`);
      writeFileSync(file, JSON.stringify(body));
      return file;
    };
    const checkout = folder();
    mkdirSync(join(checkout, 'sources/us/me'), { recursive: true });
    const coverage = { country: 'us', state: 'me', county: 'Penobscot' };
    writeFileSync(join(checkout, 'sources/us/me/penobscot.json'), JSON.stringify({ coverage, layers: {} }));
    for (const [name, options, ...args] of [
      ['token create', A],
      ['sql', {}, 'SELECT 42 AS answer'],
      ['settings', {}],
      ['ingest plan', published],
      ['ingest overlay', { threads: '0' }],
      ['ingest rejects', {}],
      ['place init', { out: out('guessed.yaml'), state: 'ME', county: '23019' }, join(sources, 'zoning.geojson')],
      ['place check', published],
      ['place map', { ...published, out: out('map.html') }],
      ['place schema', {}],
      ['place list', {}],
      ['place new', { out: out('county.yaml') }, 'Penobscot, ME'],
      ['directory update', {}, checkout],
      ['release list', {}],
      ['release show', {}],
      ['release verify', {}],
      ['release stac', {}],
      ['release export', { out: out('exported') }],
      ['release push', { store: out('pushed') }],
      ['pack', { area: join(sources, 'boundary.geojson'), out: out('site.platpack') }],
      ['release prune', {}],
      ['release rollback', {}, release],
      ['ingest prune', {}],
      ['ingest rollback', {}, release],
      ['session create', A],
      ['token list', A],
      ['token revoke', A],
      ['receipt keys', {}],
      ['receipt rotate', {}],
      ['corrections list', {}],
      ['withhold add', { name: 'Mary Smith' }],
      ['withhold list', {}],
      ['withhold remove', { name: 'Mary Smith' }],
      ['audit', {}],
      ['backup', {}, saved],
      ['account create', B],
      ['account list', {}],
      ['account show', B],
      ['account plan', { ...B, plan: 'build' }],
      ['account operator', {}, B.account],
      ['account disable', B],
      ['account enable', B],
      ['session end', B],
      ['account delete', B],
      ['jobs list', { limit: '9' }],
      ['requests list', { limit: '9' }],
      ['requests deliveries', { limit: '9' }],
    ] as [string, Record<string, string>, ...string[]][])
      documents[name] = await documentOf(home, name, options, args);
    const restored = plat(out('new'), 'restore', saved, '--json');
    expect(restored).toMatchObject({ status: 0, stderr: '' });
    documents.restore = JSON.parse(restored.stdout);
    const again = ingest(json);
    documents['ingest remove'] = await documentOf(home, 'ingest remove', {}, ['village']);
    // Those of refreshes and of publishers are run by tests of test/pipelines; those of one job, correction or field request need one;
    // What `open` says is tested below, what `demo` does by test/house/packed.long.test.ts, `verify` by test/server/receipts,
    // `ingest score` by test/pipelines/scorecard;
    // that of `world generate` is read by test/pipelines/world/generate.test.ts.
    const elsewhere =
      /^(?:demo|open|login|logout|mcp(?: install)?|sources check|verify|ingest (?:diff|score|publish|resume|status|verify)|refresh|jobs (?:show|retry|cancel)|work|corrections (?!list).*|requests (?!list|deliveries).*|world generate)$/;
    const names = (await loadCommands()).map(c => c.name).filter(name => !elsewhere.test(name));
    // What the village holds of addresses is too little to find one; the error is a document too, as that of an id which nobody has.
    for (const operation of OPERATIONS) {
      const { name } = operation.command;
      // The village has no parcels, so some are refused: a refusal is one document too.
      const { stdout } = await inThisProcess(home, name, { json: true }, [
        question(name, sampleOf(operation, VILLAGE)),
      ]);
      expect([name, stdout.trimEnd().split('\n').length]).toEqual([name, 1]);
      documents[name] = JSON.parse(stdout);
    }
    const exported = { search: { filters: [{ field: 'state', op: 'eq', value: 'ME' }] }, format: 'csv' };
    const written = await inThisProcess(home, 'export', { json: true, out: out('table') }, [
      question('export', exported),
    ]);
    documents.export = JSON.parse(written.stdout);
    expect(documents.count).toMatchObject({ count: 0 });
    expect(documents.rank).toMatchObject({ detail: { error: 'search_invalid_request' } });
    expect(documents.areas).toMatchObject({ vertices: expect.any(Number) });
    expect(plat(home, 'geocode', '1 Nowhere St, Nowhere, ME', '--json').stdout).toMatch(/^\{"error":/);
    // serve --json is read by served.test.ts; those of who uses a service by test/server/agent. A worker has no document.
    expect([...Object.keys(documents), 'geocode', 'ingest worker', 'serve'].sort()).toEqual(names.sort());
    expect(JSON.stringify(documents.sql)).toContain('42');
    expect(documents['ingest run']).toMatchObject({ place: 'village', changed: true });
    expect(again).toMatchObject({ changed: false, release });
    expect(JSON.stringify(documents['token create'])).toContain('"plan":"free"');
  }, 600_000);

  it('shows an example that it takes, its own flags alone, and the nearest names for wrong ones', async () => {
    const list = await loadCommands();
    for (const { name, example } of list) {
      const words = /"[^"]*"|[^\s"]+/g;
      const given = example.replace(/ > .*/, '').match(words)!;
      expect([name, given.slice(0, name.split(' ').length + 1).join(' ')]).toEqual([name, `plat ${name}`]);
      let ran = '';
      const silent = list.map(command => ({
        ...command,
        run: async () => {
          ran = command.name;
          return 0;
        },
      }));
      await program(silent, () => {}).parseAsync(
        given.slice(1).map(word => word.replaceAll('"', '')),
        { from: 'user' },
      );
      expect(ran).toBe(name);
    }
    const home = folder();
    const help = plat(home, 'token', 'create', '--help').stdout;
    expect(help).toContain('plat token create --account you@example.org');
    expect(help.split('\n').length).toBeLessThan(25);
    expect(plat(home, '--version').stdout.trim()).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
    expect(plat(home, 'tokn').stderr).toContain('Did you mean token?');
    expect(plat(home, 'serve', '--prot', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean --port?'),
    });
    const groups = program(list, () => {}).commands.filter(({ commands }) => commands.length > 0);
    expect(groups.filter(group => group.name() === group.description()).map(group => group.name())).toEqual([]);
    expect(plat(home, 'completion', '--help').stdout).toContain('source <(plat completion bash)');
    expect(plat(home, 'completion', 'zsh').stdout).toContain('#compdef plat');
    expect(plat(home, 'complete', '--', 'ingest', 'ru').stdout).toMatch(/^run\t/);
  });

  it('opens no browser where nothing answers, and says for which server a session is', () => {
    const home = folder();
    const open = plat(home, 'open', '--port', '1');
    expect(open).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('http://127.0.0.1:1') });
    expect(open.stderr).toContain('plat serve');
    const session = plat(home, 'session', 'create', '--account', 'a@example.org', '--port', '8391');
    expect(session.stdout.trim().split('.')).toHaveLength(3);
    expect(session.stderr).toContain('http://127.0.0.1:8391');
  });

  it('paints nothing that is no terminal', () => {
    const home = folder();
    for (const args of [['--help'], ['serve', '--help'], ['serve', '--prot', '1'], ['release', 'show']]) {
      const { stdout, stderr } = plat(home, ...args);
      expect([args, `${stdout}${stderr}`.includes('\u001b')]).toEqual([args, false]);
    }
  });

  it('says nothing on stderr with --quiet, unless it fails', () => {
    const home = folder();
    expect(plat(home, 'place', 'list', '--quiet')).toMatchObject({ status: 0, stderr: '' });
    expect(plat(home, 'place', 'list').stderr).not.toBe('');
    expect(plat(home, 'release', 'show', '--quiet').stderr).not.toBe('');
  });

  it('fails with one line and exit code 1 where there is nothing to show', () => {
    const home = folder();
    for (const name of ['show', 'verify']) {
      const { status, stdout, stderr } = plat(home, 'release', name);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^.*release.*\n$/);
    }
  });
});
