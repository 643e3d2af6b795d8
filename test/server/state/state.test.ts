import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../query/engine/settings.ts';
import { keptSecret } from '../../../server/auth/secret.ts';
import { createTokenService } from '../../../server/auth/token.ts';
import { tokenCreateCommand } from '../../../server/commands/token-create.ts';
import { localToken, welcomeLines } from '../../../server/commands/welcome.ts';
import { openState, requireSecrets } from '../../../server/state/open.ts';
import { FakeClock } from '../fake-clock.ts';
import { SECRET, smallCatalog } from '../service-fixture.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plat-state-'));
  vi.stubEnv('PLAT_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

describe('the state store of the settings', () => {
  it('is the SQLite file of PLAT_HOME, in write-ahead mode, when no URL is given', async () => {
    const state = await openState(home, '');
    await state.openAccount('a@b', 'free');
    expect(statSync(join(home, 'state.sqlite-wal')).size).toBeGreaterThan(0);
    await state.close();
  });

  const modes = (...paths: string[]) => paths.map(path => (statSync(path).mode & 0o777).toString(8));
  it('is for its owner only, also where it was not', async () => {
    const fresh = join(home, 'a', 'b');
    const file = join(fresh, 'state.sqlite');
    let state = await openState(fresh, '');
    await state.openAccount('a@b', 'free');
    expect(modes(fresh, file, `${file}-wal`, `${file}-shm`)).toEqual(['700', '600', '600', '600']);
    chmodSync(fresh, 0o755);
    for (const path of [file, `${file}-wal`, `${file}-shm`]) chmodSync(path, 0o644);
    const second = await openState(fresh, '');
    expect(modes(fresh, file, `${file}-wal`, `${file}-shm`)).toEqual(['700', '600', '600', '600']);
    await Promise.all([state.close(), second.close()]);
    // The release may be there before the state is.
    const ingested = join(home, 'c');
    mkdirSync(join(ingested, 'releases'), { recursive: true, mode: 0o755 });
    writeFileSync(join(ingested, 'sound-files'), '');
    state = await openState(ingested, '');
    expect(modes(ingested, join(ingested, 'state.sqlite'))).toEqual(['700', '600']);
    await state.close();
  });

  it('gets a change of its tables that lies before one it has', async () => {
    await (await openState(home, '')).close();
    const file = new DatabaseSync(join(home, 'state.sqlite'));
    file.exec(`drop table probe; delete from kysely_migration where name = '0010_probe'`);
    file.close();
    const state = await openState(home, '');
    await state.probe();
    await state.close();
  });

  it('leaves a folder with files of others as open as it is', async () => {
    writeFileSync(join(home, 'mine.txt'), '');
    chmodSync(home, 0o755);
    const state = await openState(home, '');
    expect(modes(home, join(home, 'state.sqlite'))).toEqual(['755', '600']);
    await state.close();
  });

  it.each([
    ['mysql://user:password@host/db', 'RangeError'],
    ['postgres://user:password@host:port/db', 'RangeError'],
    ['/some/password.sqlite', 'RangeError'],
    ['postgres://user:password@127.0.0.1:1/db', 'Error'],
  ])('%s is refused without repeating it', async (url, name) => {
    await expect(openState(home, url)).rejects.toThrow(
      expect.objectContaining({ name, message: expect.stringMatching(/^PLAT_STATE_URL: (?!.*password@)/) }),
    );
  });

  it('shared by several servers needs secrets that are shared too', () => {
    const settings = (env: Record<string, string>) => readSettings({ PLAT_STATE_URL: 'postgres://h/d', ...env });
    const secret = 'w8Zq3nB1xT6rLm0YfKc5VdJh2sGu9PaE';
    const check = (env: Record<string, string>) => () => requireSecrets(settings(env), ['tokenSecret', 'cursorSecret']);
    expect(check({})).toThrow(/needs PLAT_TOKEN_SECRET and PLAT_CURSOR_SECRET: give every server/);
    expect(check({ PLAT_TOKEN_SECRET: secret })).toThrow(/needs PLAT_CURSOR_SECRET:/);
    expect(check({ PLAT_CURSOR_SECRET: secret })).toThrow(/needs PLAT_TOKEN_SECRET:/);
    expect(check({ PLAT_TOKEN_SECRET: secret, PLAT_CURSOR_SECRET: secret })).not.toThrow();
    expect(check({ PLAT_STATE_URL: '' })).not.toThrow();
  });
});

describe('secrets', () => {
  it('are made once, readable by the owner only', () => {
    const secret = keptSecret(home, 'token');
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(keptSecret(home, 'token')).toBe(secret);
    expect(keptSecret(home, 'cursor')).not.toBe(secret);
    expect(statSync(join(home, 'secrets/token')).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'secrets')).mode & 0o777).toBe(0o700);
  });

  it('too short to be a key are refused by file name', () => {
    keptSecret(home, 'token');
    writeFileSync(join(home, 'secrets/token'), 'short');
    expect(() => keptSecret(home, 'token')).toThrow(
      /secrets\/token: expected at least 32 random characters.*delete it to make a new one/,
    );
  });
});

describe('token create', () => {
  const run = async (options: Record<string, string>, json = false) => {
    const out: string[] = [];
    const code = await tokenCreateCommand.run([], options, {
      json,
      interactive: false,
      out: line => out.push(line),
      err: () => {},
    });
    return { code, out };
  };

  it('prints only a token, which the server accepts', async () => {
    const { code, out } = await run({ account: 'a@b.org', plan: 'growth' });
    expect(code).toBe(0);
    expect(out).toHaveLength(1);
    const state = await openState(home, '');
    const secret = readFileSync(join(home, 'secrets/token'), 'utf8').trim();
    const { account } = await createTokenService(secret, state, Date).verify(out[0]!);
    expect(account).toMatchObject({ email: 'a@b.org', plan: 'growth' });
    await state.close();
  });

  it('moves the account to a plan it names and leaves it otherwise', async () => {
    await run({ account: 'a@b.org', plan: 'growth' });
    expect(JSON.parse((await run({ account: 'a@b.org' }, true)).out[0]!).plan).toBe('growth');
    expect(JSON.parse((await run({ account: 'a@b.org', plan: 'free' }, true)).out[0]!).plan).toBe('free');
  });

  it.each([[{}], [{ account: 'nobody' }], [{ account: 'a b@c' }], [{ account: 'a@b', plan: 'gold' }]])(
    '%j is wrong usage',
    async options => {
      await expect(run(options as Record<string, string>)).rejects.toThrow(
        expect.objectContaining({ name: 'UsageError' }),
      );
    },
  );
});

describe('the welcome', () => {
  it('shows the same token every time until it is revoked or near its end', async () => {
    const clock = new FakeClock();
    const state = await openState(home, '');
    const tokens = createTokenService(SECRET, state, clock);
    const token = await localToken(state, tokens, clock);
    clock.time += 24 * 3600 * 1000;
    expect(await localToken(state, tokens, clock)).toBe(token);
    expect((await tokens.verify(token)).account).toMatchObject({ email: 'local@plat.invalid', plan: 'scale' });
    clock.time += 83 * 24 * 3600 * 1000;
    const next = await localToken(state, tokens, clock);
    expect(next).not.toBe(token);
    const { account } = (await state.token(JSON.parse(atob(next.split('.')[1]!)).jti))!;
    for (const row of await state.tokens(account.id)) await state.revokeToken(row.jti, 1);
    expect(await localToken(state, tokens, clock)).not.toBe(next);
    await state.close();
  });

  it('prints a token and three commands', () => {
    const point = { lng: -68.77, lat: 44.8 };
    const example = { point, fields: ['elevation', 'slope_degrees', 'flood_note'], state: 'ME' };
    for (const given of [example, null]) {
      const lines = welcomeLines('http://127.0.0.1:1', 'TOKEN', given, smallCatalog);
      expect(lines[0]).toBe('API token: TOKEN');
      expect(lines.filter(line => line.startsWith('curl '))).toHaveLength(3);
    }
    const curls = (given: typeof example | Omit<typeof example, 'state'>) =>
      welcomeLines('http://127.0.0.1:1', 'TOKEN', { state: null, ...given }, smallCatalog).filter(line =>
        line.startsWith('curl '),
      );
    const [preset, fields, search] = curls(example);
    const body = (line: string) => JSON.parse(/-d '(.*)'$/.exec(line)![1]!);
    expect(body(fields!)).toEqual({ lat: 44.8, lng: -68.77, fields: ['elevation', 'flood_note'] });
    expect(body(preset!)).toEqual({ lat: 44.8, lng: -68.77, preset: 'flood_risk' });
    expect(search).toContain('/v1/search');
    expect(body(search!).filters[0]).toEqual({ field: 'state', op: 'eq', value: 'ME' });
    // Without water it is the preset with the most values, and without parcels nothing is searched.
    const [dry, , ready] = curls({ point, fields: ['slope_degrees', 'flood_note'] });
    expect(body(dry!)).toMatchObject({ preset: 'terrain' });
    expect(ready).toContain('/readyz');
  });
});
