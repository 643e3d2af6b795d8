// The guides as a reader follows them: all commands of a page in one shell, against a server of the shared area.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plat, type Served, serve } from '../../contract/plat.ts';
import { root } from '../../house/files.ts';
import { syntheticHome } from '../../synthetic-home.ts';

const run = promisify(execFile);

/** What the commands of a page print. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  start: [/"elevation":\{"value":[\d.]+/],
  'flood-letter': [/"disposition": "resolved"/, /"verdict": "(?:inside|outside|not_decidable)"/],
  'site-selection': [/"per_filter"/, /"parcels": \d/],
  solar: [/"buildable_acres": [\d.]+/],
  underwriting: [/"credits_total": \d+/],
  portfolio: [/"worst"/],
  qgis: [/^parcels\t/m],
  duckdb: [/parcel_store/],
  'from-regrid': [/"apn": "003-003-004"/],
  'from-geocodio': [/"accuracy_type"/],
  'from-arcgis': [/"type": "(?:Multi)?Polygon"/],
  exports: [/"credits_total":\d+/, /"status":"done"/],
  receipts: [/^answer +right/m, /^recomputation +right/m],
  corrections: [/"status":"received"/],
  faq: [/^complete\texhausted\t\d+$/m],
};

const blocksOf = (page: string, language: string): string[] =>
  [...readFileSync(join(root, `docs/${page}.md`), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, of]) => of === language)
    .map(([, , text]) => text!);

describe('a guide', { tags: ['curl', 'jq'] }, () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-guides-'));
  let served: Served;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    cpSync((await syntheticHome()).home, home, { recursive: true });
    const token = plat(home, 'token', 'create', '--account', 'guides@example.org').stdout.trim();
    served = await serve(home);
    const own = { PLAT_URL: served.address, PLAT_TOKEN: token, PLAT_HOME: home };
    env = { ...process.env, ...own, PATH: [root, process.env.PATH].join(delimiter) };
  });
  afterAll(async () => {
    served?.child.kill();
    await served?.ended;
    rmSync(home, { recursive: true, force: true });
  });

  it.each(Object.entries(PRINTED))('%s', async (page, printed) => {
    const cwd = join(home, 'guides', page);
    mkdirSync(cwd, { recursive: true });
    // The address and the token of a page are those of the reader.
    const script = blocksOf(page, 'sh').map(text => text.replace(/^export PLAT_\w+=.*$/gm, ''));
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script.join('\n')], { cwd, env }).catch(error => {
      throw new Error(`${error.stdout}\n${error.stderr}`);
    });
    for (const line of printed) expect(stdout).toMatch(line);
    const questions = blocksOf(page, 'sql');
    if (questions.length === 0) return;
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`SET file_search_path = '${cwd}'`);
    for (const sql of questions) expect((await connection.runAndReadAll(sql)).currentRowCount, sql).toBeGreaterThan(0);
    connection.closeSync();
  });
});
