import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptSecret } from '../../server/auth/secret.ts';
import { createTokenService } from '../../server/auth/token.ts';
import { tokenCreateCommand } from '../../server/commands/token-create.ts';
import { localToken, welcomeLines } from '../../server/commands/welcome.ts';
import { openState } from '../../server/state/sqlite.ts';
import { FakeClock, SECRET, smallCatalog } from './service-fixture.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plat-state-'));
  vi.stubEnv('PLAT_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

describe('the state store', () => {
  it('keeps accounts and tokens over a restart, in write-ahead mode', async () => {
    const first = await openState(home, '');
    const account = await first.openAccount('Some.One@Example.org', 'build');
    const row = {
      jti: 'j1',
      accountId: account.id,
      plan: 'build',
      issuedAt: 1,
      expiresAt: 2,
      revokedAt: null,
    } as const;
    await first.addToken(row);
    expect(statSync(join(home, 'state.sqlite-wal')).size).toBeGreaterThan(0);
    await first.close();
    const second = await openState(home, '');
    expect(await second.account('some.one@example.ORG')).toEqual({ ...account, email: 'some.one@example.org' });
    expect(await second.token('j1')).toEqual({ token: row, account });
    expect(await second.token('j2')).toBeNull();
    expect(await second.account('nobody@example.org')).toBeNull();
    await second.close();
  });

  it('opens an account once, whatever plan is asked for the second time', async () => {
    const state = await openState(home, '');
    const [a, b] = await Promise.all([state.openAccount('a@b', 'free'), state.openAccount('A@B', 'market')]);
    expect(a).toEqual(b);
    await state.setPlan(a!.id, 'growth');
    expect((await state.account('a@b'))!.plan).toBe('growth');
    await state.close();
  });

  it('revokes once: the first time stays', async () => {
    const state = await openState(home, '');
    const { id } = await state.openAccount('a@b', 'free');
    await state.addToken({ jti: 'j', accountId: id, plan: 'free', issuedAt: 1, expiresAt: 9, revokedAt: null });
    await state.revokeToken('j', 5);
    await state.revokeToken('j', 7);
    expect((await state.token('j'))!.token.revokedAt).toBe(5);
    await state.close();
  });

  it('refuses a token of an account that is not there', async () => {
    const state = await openState(home, '');
    const row = { jti: 'j', accountId: 'nobody', plan: 'free', issuedAt: 1, expiresAt: 9, revokedAt: null } as const;
    await expect(state.addToken(row)).rejects.toThrow(/FOREIGN KEY/);
    await state.close();
  });

  it('serves two processes on one file', async () => {
    const [one, two] = [await openState(home, ''), await openState(home, '')];
    const account = await one.openAccount('a@b', 'free');
    expect(await two.account('a@b')).toEqual(account);
    await one.close();
    await two.close();
  });

  it('refuses another store without repeating its address', async () => {
    await expect(openState(home, 'postgres://user:password@host/db')).rejects.toThrow(
      expect.objectContaining({ name: 'RangeError', message: expect.not.stringContaining('password') }),
    );
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
    expect(() => keptSecret(home, 'token')).toThrow(/secrets\/token: expected a secret of at least 32/);
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
    const account = await createTokenService(secret, state, Date).verify(out[0]!);
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
    expect(await tokens.verify(token)).toMatchObject({ email: 'local@plat.invalid', plan: 'scale' });
    clock.time += 83 * 24 * 3600 * 1000;
    const next = await localToken(state, tokens, clock);
    expect(next).not.toBe(token);
    const { account } = (await state.token(JSON.parse(atob(next.split('.')[1]!)).jti))!;
    for (const row of await state.tokens(account.id)) await state.revokeToken(row.jti, 1);
    expect(await localToken(state, tokens, clock)).not.toBe(next);
    await state.close();
  });

  it('prints a token and three commands', () => {
    const example = { point: { lng: -68.77, lat: 44.8 }, fields: ['elevation', 'slope_degrees', 'flood_note'] };
    for (const given of [example, null]) {
      const lines = welcomeLines('http://127.0.0.1:1', 'TOKEN', given, smallCatalog);
      expect(lines[0]).toBe('API token: TOKEN');
      expect(lines.filter(line => line.startsWith('curl '))).toHaveLength(3);
    }
    const [, fields, preset] = welcomeLines('http://127.0.0.1:1', 'TOKEN', example, smallCatalog).filter(line =>
      line.startsWith('curl '),
    );
    const body = (line: string) => JSON.parse(/-d '(.*)'$/.exec(line)![1]!);
    expect(body(fields!)).toEqual({ lat: 44.8, lng: -68.77, fields: ['elevation', 'flood_note'] });
    expect(body(preset!)).toEqual({ lat: 44.8, lng: -68.77, preset: 'terrain' });
  });
});
