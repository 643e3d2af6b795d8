import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plat, type Served, serve } from '../contract/plat.ts';
import { syntheticHome } from '../synthetic-home.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const readme = readFileSync(join(ROOT, 'client/README.md'), 'utf8');
const examples = readme.split(/^## /m).flatMap(section => {
  const [, code] = /```ts\n(.*?)```/s.exec(section) ?? [];
  return code === undefined ? [] : [{ title: section.split('\n', 1)[0]!, code }];
});

/** What the examples print, by their titles. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  'Values at a place': [/^elevation [\d.]+ m \(/m, /^parcel_apn \S+/m, /source: 'coordinate'/],
  'What is refused': [/^400 No fields of this endpoint: "elevatoin"/m],
  'All matches of a search': [/^(?:\S+ [\d.]+\n){50}$/],
  'Many places in the background': [/^final done 2 of 2$/m, /^.*elevation.*\r?\n.*\d\.\d/m, /^2 features$/m],
  'What the account has begun': [/^run_\w+ done 2$/m, /^fr_\w+ \w+$/m],
  'What changed since a release': [/^0 layers and 0 parcels have changed$/m],
  'An answer as it is written': [
    /^The nearest hospital, “.+”, is [\d.]+ miles \([\d.]+ kilometers\) away/,
    /^(?:high|medium|low): \w+/m,
  ],
};

/** As somebody has it who copied the folder. */
const project = mkdtempSync(join(tmpdir(), 'plat-client-'));
const home = mkdtempSync(join(tmpdir(), 'plat-client-home-'));
let served: Served;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  cpSync(join(ROOT, 'client'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  examples.forEach(({ code }, i) => {
    writeFileSync(join(project, `example-${i}.ts`), code);
  });
  cpSync((await syntheticHome()).home, home, { recursive: true });
  const token = plat(home, 'token', 'create', '--account', 'client@example.org').stdout.trim();
  served = await serve(home);
  env = { ...process.env, PLAT_URL: served.address, PLAT_TOKEN: token };
});
afterAll(async () => {
  served?.child.kill();
  await served?.ended;
  for (const folder of [project, home]) rmSync(folder, { recursive: true, force: true });
});

it('client/README.md has an example of everything, and its files are all that is wanted', async () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(PRINTED));
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const checked = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project]).catch(error => error);
  expect(checked.stdout).toBe('');
});

it.each(examples.map(({ title }, i) => [title, i] as const))('client/README.md: %s', async (title, i) => {
  const flags = ['--experimental-strip-types', '--no-warnings'];
  const { stdout } = await run(process.execPath, [...flags, join(project, `example-${i}.ts`)], { env });
  for (const line of PRINTED[title]!) expect(stdout).toMatch(line);
});
