// @plat/client as others get it: packed, installed without network, and loaded by a page.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plat, type Served, serve } from '../contract/plat.ts';
import { syntheticHome } from '../synthetic-home.ts';
import { CHROMIUM } from '../web/explorer.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const PLACE = { lat: 43.12494, lng: -70.71829, fields: ['elevation'] };

/** A program of somebody who installed the package. */
const PROGRAM = `import { type AnswerOf, createClient, type FieldRecord, PlatError, VERSION } from '@plat/client';
import { createClient as inBrowsers } from '@plat/client/browser';

const plat = createClient({ url: process.env.PLAT_URL!, token: process.env.PLAT_TOKEN });
const answer: AnswerOf<'fetch'> = await plat.fetch(${JSON.stringify(PLACE)});
const elevation: FieldRecord = answer.fields.elevation!;
const also = inBrowsers({ url: process.env.PLAT_URL!, token: process.env.PLAT_TOKEN });
const { fields } = await also.fetch(${JSON.stringify(PLACE)});
// @ts-expect-error: no such operation
void plat.fetchAll;
// @ts-expect-error: a search wants filters that are a list
void (() => plat.search({ filters: 'state' }));
const refusal = await plat.fetch({ ...${JSON.stringify(PLACE)}, fields: ['elevatoin'] }).catch((error: unknown) => error);
if (!(refusal instanceof PlatError)) throw refusal;
console.log(JSON.stringify([VERSION, elevation.status, elevation.value === fields.elevation!.value, refusal.code]));
`;

const folder = mkdtempSync(join(tmpdir(), 'plat-package-'));
const home = join(folder, 'home');
const project = join(folder, 'project');
const installed = join(project, 'node_modules/@plat/client');
let served: Served;
let pages: Server;
let page = '';
let token = '';
let packed: string[] = [];

beforeAll(async () => {
  mkdirSync(project);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(ROOT, 'client') });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path).sort();
  writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: project });
  pages = createServer((request, response) => {
    const isScript = request.url === '/browser.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? readFileSync(join(installed, 'dist/browser.js')) : '<!doctype html><title>A page</title>');
  });
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  cpSync((await syntheticHome()).home, home, { recursive: true });
  token = plat(home, 'token', 'create', '--account', 'package@example.org').stdout.trim();
  served = await serve(home, { PLAT_CORS_ORIGINS: page });
});
afterAll(async () => {
  served?.child.kill();
  await served?.ended;
  pages?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('what is packed is what is imported, with its types, licence and changes', () => {
  expect(packed.filter(path => !path.startsWith('dist/'))).toEqual([
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'python/plat.py'],
  ]);
  expect(packed.filter(path => /^dist\/.*(?<!\.d)\.ts$|^dist\/api\/.*\.js$/.test(path))).toEqual([]);
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const targets = Object.values(exports as Record<string, string | object>).flatMap(of =>
    typeof of === 'string' ? [of] : (Object.values(of) as string[]),
  );
  expect(targets.filter(path => !packed.includes(path.replace('./', '')))).toEqual([]);
  const bundle = readFileSync(join(installed, 'dist/browser.js'), 'utf8');
  expect(bundle).not.toMatch(/\bimport\b|\brequire\(|node:|\bprocess\./);
  const modules = ['api', 'client', 'errors', 'events', 'retries', 'sending'];
  const whole = modules.map(name => readFileSync(join(installed, `dist/${name}.js`), 'utf8')).join('');
  expect(bundle.length).toBeLessThan(0.7 * whole.length);
});

it('it installs without network, holds what its types say, and answers', async () => {
  writeFileSync(join(project, 'program.ts'), PROGRAM);
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    skipLibCheck: false,
    noUncheckedIndexedAccess: true,
    outDir: 'out',
    rootDir: '.',
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['program.ts'] }));
  const checked = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project]).catch(error => error);
  expect(checked.stdout).toBe('');
  const env = { ...process.env, PLAT_URL: served.address, PLAT_TOKEN: token };
  const { stdout } = await run(process.execPath, [join(project, 'out/program.js')], { env });
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(JSON.parse(stdout)).toEqual([version, 'ok', true, 'fields_unknown']);
});

it('a page loads its one file and is answered', { tags: ['Chromium'] }, async () => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage();
    await tab.goto(page);
    // As a text: what tests are compiled to is nothing that a page knows.
    const ask = `(async () => {
      const { createClient } = await import('/browser.js');
      const plat = createClient(${JSON.stringify({ url: served.address, token })});
      return (await plat.fetch(${JSON.stringify(PLACE)})).fields.elevation.status;
    })()`;
    expect(await tab.evaluate(ask)).toBe('ok');
  } finally {
    await browser.close();
  }
});
