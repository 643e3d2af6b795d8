import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { root } from './files.ts';

/** Ends a program and what it started. */
async function end(child: ReturnType<typeof spawn>): Promise<void> {
  const closed = new Promise(resolve => child.once('close', resolve));
  process.kill(-child.pid!, 'SIGTERM');
  await closed;
}

it('what npm packs runs in an empty folder: a cited answer, the explorer and the documentation', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-packed-'));
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as [{ filename: string; files: { path: string }[] }];
  // Sources, tests and homes stay out of it.
  expect(packed.files.map(({ path }) => path).filter(path => /^(?:server|test|bench|\.plat)\//.test(path))).toEqual([]);
  execFileSync('npm', ['init', '-y'], { cwd: folder, stdio: 'ignore' });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `./${packed.filename}`], {
    cwd: folder,
    stdio: 'ignore',
  });
  const child = spawn('npm', ['exec', '--', 'plat', 'demo'], {
    cwd: folder,
    env: { ...process.env, PLAT_HOME: join(folder, 'home'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout! })) {
      lines.push(line);
      if (lines.filter(one => one.startsWith('curl ')).length === 3) break;
    }
    const told = lines.join('\n');
    expect(told).toMatch(/^An answer about [\d.-]+, [\d.-]+:\n {2}.+ \(\w.*\)$/m);
    const address = /^Listening on (\S+),/m.exec(told)![1]!;
    for (const path of ['/', '/docs', '/docs/fetch', '/docs/fields/elevation', '/v1/docs', '/stac', '/data.json'])
      expect([path, (await fetch(address + path)).status]).toEqual([path, 200]);
    const [, token] = /^API token: (\S+)/m.exec(told)!;
    const [, body] = /\/v1\/fetch .*-d '(.+)'$/m.exec(told)!;
    const answer = await fetch(`${address}/v1/fetch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body!,
    });
    const { fields } = (await answer.json()) as { fields: Record<string, { source: string }> };
    expect(Object.values(fields).every(({ source }) => source.length > 0)).toBe(true);
  } finally {
    await end(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 });
  }
}, 600_000);
