import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { root } from './files.ts';

it('the service starts from what `npm ci --omit=dev` installs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-without-dev-'));
  try {
    for (const path of ['package.json', 'package-lock.json', 'plat', 'plat.ts', 'dist', 'web/dist'])
      cpSync(join(root, path), join(folder, path), { recursive: true });
    for (const room of ['datasets', 'ingest', 'pipelines', 'query', 'server'])
      cpSync(join(root, room), join(folder, room), { recursive: true, preserveTimestamps: true });
    execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
    const env = { ...process.env, PLAT_HOME: join(folder, 'home'), PORT: '0', PLAT_LOG: 'error' };
    const child = spawn(join(folder, 'plat'), ['serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    const [line] = (await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), ended])) as [string];
    const { address } = JSON.parse(line) as { address: string };
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await fetch(`${address}/v1/openapi.json`)).status).toBe(200);
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 600_000);
