import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptSecret } from '../../../server/auth/secret.ts';
import { createTokenService } from '../../../server/auth/token.ts';
import { userCodeHash } from '../../../server/device/operation.ts';
import { openState } from '../../../server/state/open.ts';
import { plat } from '../../contract/plat.ts';
import { type Explorer, openExplorer, SOMEBODY } from '../explorer.ts';
import { PHONE, sound } from '../flow.ts';

const LOOKS = [
  { name: 'light', colorScheme: 'light' },
  { name: 'dark', colorScheme: 'dark' },
  { name: 'phone-light', colorScheme: 'light', ...PHONE },
  { name: 'phone-dark', colorScheme: 'dark', ...PHONE },
] as const;

describe("flows of somebody's account", { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
    // Four looks of one console are more than plan free allows a minute.
    plat(explorer.home, 'account', 'create', '--account', SOMEBODY.email, '--plan', 'scale');
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  const ask = (path: string, bearer: string | null, method = 'GET', body?: object) =>
    fetch(explorer.address + path, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const signIn = async (page: Page) => {
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(SOMEBODY.email);
    await page.getByLabel('Password').fill(SOMEBODY.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: /Usage in/ }).waitFor();
  };
  /** A page of somebody with a session, without a sign-in: these are limited. */
  const visitAs = async (path: string, look: object) => {
    const visit = await explorer.visit('/plat.svg', { connected: false, ...look });
    const port = new URL(explorer.address).port;
    const made = plat(explorer.home, 'session', 'create', '--account', SOMEBODY.email, '--port', port);
    await visit.page.evaluate(`sessionStorage.setItem('plat.token', '${made.stdout.trim()}')`);
    // Browsers look for an icon of an image that is opened by itself.
    visit.wrong.length = 0;
    await visit.page.goto(explorer.address + path);
    return visit;
  };
  const sessionOf = async (page: Page) => String(await page.evaluate("sessionStorage.getItem('plat.token')"));
  /** A device that somebody logs in and approves. */
  const logIn = async (name: string): Promise<string> => {
    const started = (await (await ask('/v1/mcp/device/start', null, 'POST', { client_name: name })).json()) as {
      user_code: string;
      device_code: string;
    };
    const state = await openState(explorer.home, '');
    const account = (await state.account(SOMEBODY.email))!;
    await state.deviceCodes.decide(userCodeHash(started.user_code), account.id, true, Date.now());
    await state.close();
    const polled = await ask('/v1/mcp/device/poll', null, 'POST', { device_code: started.device_code });
    return ((await polled.json()) as { token: string }).token;
  };

  it('a wrong, an expired and a revoked token are called that', async () => {
    const state = await openState(explorer.home, '');
    const account = (await state.account('local@example.org'))!;
    const long = createTokenService(keptSecret(explorer.home, 'token'), state, { now: () => Date.now() - 1e10 });
    const { token: expired } = await long.create(account, { name: null, days: 1 });
    const { token: revoked, row } = await createTokenService(keptSecret(explorer.home, 'token'), state, Date).create(
      account,
      { name: null, days: 1 },
    );
    await state.revokeToken(row.jti, 1);
    await state.close();
    await using visit = await explorer.visit('/', { connected: false });
    const { page } = visit;
    const open = () => page.getByRole('banner').getByRole('button', { name: /^Connect/ });
    await open().click();
    for (const token of ['eyJ.no.token', 'two words', expired, revoked]) {
      await page.getByLabel('API token').fill(token);
      await page.getByRole('button', { name: 'Use this token' }).click();
      await page
        .getByRole('alert')
        .filter({ hasText: /unknown, revoked, expired|is no token/ })
        .waitFor();
      expect(await sessionOf(page)).toBe('null');
    }
    await page.getByLabel('API token').fill(explorer.token);
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Connected' }).waitFor();
    // A refusal is an error of the browser's console too.
    visit.wrong.length = 0;
    await sound(visit, 'token-accepted');
  }, 120_000);

  it.each(LOOKS)(
    'a token that ends while the page is open is called that: $name',
    async ({ name, ...look }) => {
      const made = await ask('/v1/users/me/usage', explorer.token);
      expect(made.status).toBe(200);
      await using visit = await explorer.visit('/console', { connected: false, ...look });
      const { page } = visit;
      await page.evaluate("sessionStorage.setItem('plat.token', 'eyJhbGciOiJIUzI1NiJ9.e30.x')");
      await page.reload();
      await page.getByRole('alert').filter({ hasText: 'unknown, revoked, expired' }).first().waitFor();
      await page.getByRole('banner').getByRole('button', { name: 'Connect again' }).click();
      await page.getByRole('dialog').getByText('that the service refuses').waitFor();
      visit.wrong.length = 0;
      await sound(visit, `token-refused-${name}`);
    },
    60_000,
  );

  it('who signs up by the link of the mail is signed in, on the console', async () => {
    await using visit = await explorer.visit('/password', { connected: false });
    const { page } = visit;
    await page.getByLabel('E-mail address').fill('new@example.org');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('a link is there').waitFor();
    const outbox = join(explorer.home, 'outbox');
    const mails = readdirSync(outbox).map(file => readFileSync(join(outbox, file), 'utf8'));
    const [link] = /http\S+code=\S+/.exec(mails.find(mail => mail.includes('To: new@example.org'))!)!;
    // A mail program opens a tab of its own.
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByLabel('New password').fill('another battery staple');
    await tab.getByRole('button', { name: 'Set the password' }).click();
    await tab.getByRole('heading', { name: /Usage in/ }).waitFor();
    expect(new URL(tab.url()).pathname).toBe('/console');
    await tab.getByRole('banner').getByRole('button', { name: 'new@example.org' }).waitFor();
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it.each(LOOKS)(
    'agents and devices are listed and revoked, tokens live 90 days: $name',
    async ({ name, ...look }) => {
      await using visit = await visitAs('/console', look);
      const { page } = visit;
      for (const what of ['one', 'two']) {
        await page.getByLabel('What it is for').fill(`${what} of ${name}`);
        await page.getByRole('button', { name: 'Create a token' }).click();
        await page.getByRole('row', { name: `${what} of ${name}` }).waitFor();
        await page.getByRole('button', { name: 'Done' }).click();
      }
      const session = await sessionOf(page);
      const { tokens } = (await (await ask('/v1/users/me/tokens', session)).json()) as {
        tokens: { name: string; created_at: string; expires_at: string }[];
      };
      const days = tokens
        .filter(token => token.name.endsWith(`of ${name}`))
        .map(token => (Date.parse(token.expires_at) - Date.parse(token.created_at)) / 86_400_000);
      expect(days).toEqual([90, 90]);

      const device = await logIn(`laptop of ${name}`);
      await page.reload();
      const entry = page
        .getByRole('region', { name: 'Connected agents and devices' })
        .getByRole('row', { name: `laptop of ${name}` });
      await entry.waitFor();
      await entry.scrollIntoViewIfNeeded();
      const widest = 'viewport' in look ? look.viewport.width : 1280;
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(widest);
      await sound(visit, `grants-${name}`);
      expect((await ask('/v1/users/me/usage', device)).status).toBe(200);
      await entry.getByRole('button', { name: 'Revoke' }).click();
      await entry.getByRole('button', { name: 'End its access' }).click();
      await entry.waitFor({ state: 'detached' });
      expect((await ask('/v1/users/me/usage', device)).status).toBe(401);
      await page
        .getByRole('region', { name: 'API tokens' })
        .getByRole('row', { name: /laptop.*revoked/ })
        .first()
        .waitFor();
    },
    90_000,
  );

  it.each(LOOKS)(
    'a run says what it asked, what failed and what it cost: $name',
    async ({ name, ...look }) => {
      const { lat, lng } = explorer.parcel;
      const body = {
        kind: 'fetch_batch',
        request: {
          locations: [
            { lat, lng },
            { lat: 10, lng: -100 },
          ],
          preset: 'terrain',
        },
      };
      expect((await ask('/v1/runs', explorer.token, 'POST', body)).status).toBe(202);
      await using visit = await explorer.visit('/console', look);
      const { page } = visit;
      const run = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').first();
      await page.getByRole('heading', { name: 'Runs' }).scrollIntoViewIfNeeded();
      await run.getByText('Done · 2 of 2').waitFor({ timeout: 30_000 });
      await run.scrollIntoViewIfNeeded();
      await run.getByText('1 of 2 places failed').waitFor();
      const text = await run.innerText();
      expect(text).toContain('the topic Terrain');
      expect(text).toMatch(/10, -100: .*outside the United States/);
      expect(text).toMatch(/It cost \d+ credits?\./);
      await sound(visit, `run-details-${name}`);
    },
    60_000,
  );

  it('somebody signs out, here and everywhere', async () => {
    for (const { name, ...look } of LOOKS) {
      await using seen = await visitAs('/console', look);
      await seen.page.getByRole('region', { name: 'Sign out' }).scrollIntoViewIfNeeded();
      await sound(seen, `sign-out-${name}`);
    }
    await using visit = await explorer.visit('/console', { connected: false });
    const { page } = visit;
    await signIn(page);
    const first = await sessionOf(page);
    await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('Sign in to see your usage').waitFor();
    expect((await ask('/v1/users/me/usage', first)).status).toBe(401);
    // The browser has to give the password again.
    await signIn(page);
    await using elsewhere = await explorer.visit('/console', { connected: false });
    await signIn(elsewhere.page);
    const other = await sessionOf(elsewhere.page);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'End every session' }).click();
    await page.getByText('Sign in to see your usage').waitFor();
    expect((await ask('/v1/users/me/usage', other)).status).toBe(401);
    await signIn(page);
  }, 90_000);

  it.each(LOOKS)(
    'the token of a link never takes the place of another without asking: $name',
    async ({ name, ...look }) => {
      await using visit = await visitAs('/console', look);
      const { page } = visit;
      await page.getByRole('heading', { name: /Usage in/ }).waitFor();
      const session = await sessionOf(page);
      await page.goto(`${explorer.address}/console#token=${explorer.token}`);
      const dialog = page.getByRole('dialog', { name: 'Use the token of this link?' });
      await dialog.waitFor();
      expect(await dialog.innerText()).toContain(SOMEBODY.email);
      expect(page.url()).not.toContain('token=');
      await sound(visit, `token-offered-${name}`);
      await dialog.getByRole('button', { name: `Keep ${SOMEBODY.email}` }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(await sessionOf(page)).toBe(session);
      await page.goto(`${explorer.address}/#token=${explorer.token}`);
      await dialog.getByRole('button', { name: 'Use the link’s token' }).click();
      await page.getByRole('banner').getByRole('button', { name: 'Connected' }).waitFor();
      expect(await sessionOf(page)).toBe(explorer.token);
    },
    60_000,
  );
});
