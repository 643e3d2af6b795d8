import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** A search that needs the calculations which are made beside the server. */
const ASKED = {
  filters: [
    { field: 'state', op: 'eq', value: 'ME' },
    { field: 'fema_flood_zone', op: 'eq', value: 'AE' },
  ],
};

it('make run says at most twenty lines up to the last curl line; a search that came too early says how long', async () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-run-'));
  // A group of its own: make, the server and the calculations beside it end together.
  const child = spawn('make', ['run'], {
    cwd: PROJECT,
    env: { ...process.env, PLAT_HOME: home, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  try {
    const lines: string[] = [];
    const after = (start: string) =>
      lines
        .find(line => line.startsWith(start))
        ?.slice(start.length)
        .split(/[ ,]/)[0];
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
    expect(lines.filter(line => line.startsWith('{'))).toEqual([]);
    expect(readFileSync(join(home, 'logs', 'serve.log'), 'utf8')).toContain('"level":');

    // Guests are let in, and what they may not ask still needs a token.
    const guest = await fetch(`${after('Listening on ')}/v1/guest`, { method: 'POST' });
    expect(guest.status).toBe(200);
    expect((await fetch(`${after('Listening on ')}/v1/fetch`, { method: 'POST', body: '{}' })).status).toBe(401);

    const said: string[] = [];
    for (let status = 0; status !== 200; await new Promise(resolve => setTimeout(resolve, 500))) {
      const reply = await fetch(`${after('Listening on ')}/v1/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${after('API token: ')}`, 'content-type': 'application/json' },
        body: JSON.stringify(ASKED),
      });
      status = reply.status;
      if (status === 200) break;
      const { detail } = (await reply.json()) as { detail: { issues: { description: string; hint: string }[] } };
      said.push(`${detail.issues[0]!.description} ${detail.issues[0]!.hint}`);
    }
    expect(said.filter(text => /\d+ of 3000 parcels are done\. Ask again in about \d+ s/.test(text))).not.toEqual([]);
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
    await new Promise(resolve => child.once('close', resolve));
    // The calculations beside the server may still be ending.
    rmSync(home, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 });
  }
}, 600_000);
