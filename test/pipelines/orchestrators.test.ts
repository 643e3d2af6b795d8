// The Python of docs/orchestrators.md, with stand-ins for Dagster, Airflow and plat: neither Debian nor npm has the real ones.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportOf } from '../../pipelines/refresh/report.ts';
import { PYTHON } from '../python.ts';

const page = readFileSync(new URL('../../docs/orchestrators.md', import.meta.url), 'utf8');
const sectionOf = (title: string) => page.split(/^## /m).find(section => section.startsWith(`${title}\n`))!;
const codeOf = (title: string) => /```python\n(.*?)```/s.exec(sectionOf(title))![1]!;

const STAND_INS: Readonly<Record<string, string>> = {
  'dagster.py': `class AssetExecutionContext: pass
class Failure(Exception): pass
class MaterializeResult:
    def __init__(self, metadata): self.metadata = metadata
def asset(description): return lambda function: function
`,
  'pendulum.py': 'def datetime(*parts): return parts\n',
  'airflow/__init__.py': '',
  'airflow/sdk.py': `told = []
def task(retries): return lambda function: lambda: told.append(function())
def dag(schedule, start_date, catchup, max_active_runs): return lambda function: function
`,
};
/** How each is run, printing what the orchestrator is told. */
const RUNS: Readonly<Record<string, string>> = {
  Dagster: `import json, logging, types
print(json.dumps(plat_release(types.SimpleNamespace(log=logging.getLogger())).metadata))
`,
  Airflow: 'import airflow.sdk\nprint(json.dumps(airflow.sdk.told[0]))\n',
};
const STALE = { layer: 'usfws_nwi:main', since: null, why: 'no answer' };
const report = reportOf(
  {
    ...{ release: 'r1', changed: true },
    places: [{ place: 'shire', isNew: true, stale: [STALE] }] as never,
    failures: [{ place: 'bree', error: new Error('The place file is gone') }],
  },
  3,
  {},
);

const folder = mkdtempSync(join(tmpdir(), 'plat-orchestrators-'));
beforeAll(() => {
  mkdirSync(join(folder, 'airflow'));
  for (const [path, text] of Object.entries(STAND_INS)) writeFileSync(join(folder, path), text);
  const script = `#!/bin/sh\n[ "$*" = "refresh --due --json" ] || exit 2\necho "$REPORT"\nexit "$CODE"\n`;
  writeFileSync(join(folder, 'plat'), script, { mode: 0o755 });
  for (const [title, run] of Object.entries(RUNS)) writeFileSync(join(folder, `${title}.py`), codeOf(title) + run);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (title: string, code: number) =>
  spawnSync(PYTHON, ['-B', join(folder, `${title}.py`)], {
    encoding: 'utf8',
    env: {
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      CODE: String(code),
      REPORT: code === 1 ? '' : JSON.stringify({ ...report, code }),
    },
  });

it.each(['Dagster', 'Airflow'])('%s is told what a refresh published, and fails where it failed', title => {
  for (const code of [0, 3]) {
    const { status, stdout, stderr } = start(title, code);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ release: 'r1', changed: true });
    if (title === 'Dagster') expect(JSON.parse(stdout).stale).toEqual([STALE.layer]);
    expect(stdout + stderr).toContain('The place file is gone');
  }
  for (const code of [1, 2]) {
    const { status, stderr } = start(title, code);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`plat refresh ended with ${code}`)]);
  }
});

it('the page says that nobody tried them with the real ones, and its line of cron is one of the command', () => {
  for (const title of Object.keys(RUNS)) expect(sectionOf(title)).toMatch(/^\w+\n\nUntried: /);
  expect(sectionOf('cron')).toContain('plat refresh --due --quiet');
});
