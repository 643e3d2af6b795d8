import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtInPlace } from '../../../pipelines/place/place-schema.ts';
import { root } from '../../house/files.ts';
import { Publisher } from '../../ingest/acquire/publisher.ts';
import { MISSING, present } from '../bangor.ts';
import { publishPlace } from './built-publisher.ts';

if (!present) console.warn(MISSING);

const PLACE = 'bangor-me';
/** A house in the flood zone of Kenduskeag Stream, and its values as the city and FEMA publish them. */
const SPOT = { lat: 44.8016, lng: -68.7712 };

/** A search by what is calculated beside the server. */
const SEARCH = {
  filters: [
    { field: 'state', op: 'eq', value: 'ME' },
    { field: 'fema_flood_zone', op: 'eq', value: 'AE' },
  ],
};

const publisher = new Publisher();
const home = mkdtempSync(join(tmpdir(), 'plat-run-'));
beforeAll(() => publisher.start());
afterAll(async () => {
  await publisher.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 });
});

it.runIf(present)(
  'a real place in one command: its files come from where they are published, and what needs no calculation is served at once',
  { tags: ['published-files'], timeout: 600_000 },
  async () => {
    await publishPlace(publisher, builtInPlace(PLACE));
    // A group of its own: make, the server and the calculations beside it end together.
    const child = spawn('make', ['run', `PLACE=${PLACE}`], {
      cwd: root,
      env: { ...process.env, PLAT_HOME: home, PORT: '0', PLAT_MIRROR: `*=${publisher.origin}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    try {
      const lines: string[] = [];
      createInterface({ input: child.stderr! }).on('line', line => lines.push(line));
      const after = (start: string) =>
        lines
          .find(line => line.startsWith(start))
          ?.slice(start.length)
          .split(/[ ,]/)[0];
      for await (const line of createInterface({ input: child.stdout! })) {
        lines.push(line);
        if (lines.filter(said => said.startsWith('curl ')).length === 3) break;
      }
      const origin = after('Listening on ');
      const token = after('API token: ');
      expect([origin, token], lines.join('\n')).not.toContain(undefined);
      const ask = async (path: string, body: object) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const reply = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: reply.status, body: (await reply.json()) as Record<string, never> };
      };
      const { status, body } = await ask('/v1/fetch', { ...SPOT, fields: ['fema_flood_zone', 'parcel_owner'] });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toMatch(/"fema_flood_zone":\{"value":"(AE|X)"/);
      // The explorer opens on the place, and says what cannot be searched yet.
      const page = after('Explorer: ') ?? lines.find(line => line.includes(`${origin}/`))!;
      expect(page).toMatch(/44\.\d+.*-68\.\d+|-68\.\d+.*44\.\d+/);
      await expect
        .poll(
          async () => {
            const early = await ask('/v1/search', SEARCH);
            return early.status === 200 || /\d+ of \d+ parcels are done/.test(JSON.stringify(early.body));
          },
          { timeout: 120_000, interval: 500, message: 'a search says how far the calculations are' },
        )
        .toBe(true);
    } finally {
      process.kill(-child.pid!, 'SIGTERM');
      await new Promise(resolve => child.once('close', resolve));
    }
  },
);
