import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../free-port.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'plat-checkout-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the steps of docs/field-requests.md carry a request from filing to live', { timeout: 600_000 }, async () => {
  const page = readFileSync(join(ROOT, 'docs/field-requests.md'), 'utf8');
  const steps = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text!).join('');
  expect(steps.split('./plat requests').length).toBeGreaterThan(6);
  for (const name of [
    'datasets',
    'ingest',
    'pipelines',
    'query',
    'server',
    'plat',
    'plat.ts',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', '.node'])
    try {
      symlinkSync(join(ROOT, name), join(folder, name));
    } catch {
      // A machine whose own Node is new enough has no .node.
    }
  const port = await freePort();
  const script = join(folder, 'steps.sh');
  writeFileSync(
    script,
    `set -em\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${steps.replaceAll('8080', String(port))}`,
  );
  const env = { ...process.env, PORT: String(port), PLAT_HOME: join(folder, '.plat'), PLAT_LOG: 'error' };
  const run = promisify(execFile)('bash', [script], { cwd: folder, env, maxBuffer: 10_000_000 });
  const { stdout } = await run.catch(error => {
    throw new Error(
      `${error.message}\n${error.stdout}\n${error.stderr}\n${readFileSync(join(folder, 'serve.log'), 'utf8')}`,
    );
  });
  expect(stdout).toContain('is live');
  const from = stdout.lastIndexOf('\n{') + 1;
  const shown = JSON.parse(stdout.slice(from, stdout.indexOf('\n}', from) + 2));
  expect(shown).toMatchObject({
    status: 'live',
    disposition: [
      {
        disposition: 'accepted_new',
        field_id: 'nearest_covered_bridge_distance_m',
        confidence: 'medium',
        caveat: null,
        resume: { url: '/v1/fetch', body: { fields: ['nearest_covered_bridge_distance_m'] } },
      },
    ],
  });
  // From 44.8016 to 44.8150 along a meridian: 1,489 m.
  expect(shown.disposition[0].values[0].value).toBeGreaterThan(1_480);
  expect(shown.disposition[0].values[0].value).toBeLessThan(1_500);
  expect(shown.steps.map((step: { to: string }) => step.to)).toEqual([
    'received',
    'screening',
    'queued',
    'claimed',
    'building',
    'in_review',
    'approved',
    'publishing',
    'live',
  ]);
});
