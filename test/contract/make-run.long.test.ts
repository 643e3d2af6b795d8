import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

it('make run says at most twenty lines up to the last curl line, and names the log', async () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-run-'));
  // A group of its own: make, the server and the calculations beside it end together.
  const child = spawn('make', ['run'], {
    cwd: PROJECT,
    env: { ...process.env, PLAT_HOME: home, PORT: '0', PLAT_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  try {
    const lines: string[] = [];
    const errors = createInterface({ input: child.stderr! });
    errors.on('line', line => lines.push(line));
    for await (const line of createInterface({ input: child.stdout! })) {
      lines.push(line);
      if (lines.filter(l => l.startsWith('curl ')).length === 3) break;
    }
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(20);
    expect(lines.filter(line => line.startsWith('API token: '))).toHaveLength(1);
    const [log] = lines.flatMap(line => /^Log: (.+)$/.exec(line)?.[1] ?? []);
    expect(readFileSync(log!, 'utf8')).toContain('parcel_store:main');
    expect(existsSync(join(home, 'releases', 'current'))).toBe(true);
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
    await new Promise(resolve => child.once('close', resolve));
    // The calculations beside the server may still be ending.
    rmSync(home, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 });
  }
}, 600_000);
