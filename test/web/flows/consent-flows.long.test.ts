import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer, SOMEBODY } from '../explorer.ts';
import { sound } from '../flow.ts';

/** Where an agent on this machine would listen. Nobody does: the browser is stopped on its way there. */
const BACK = 'http://127.0.0.1:33418/callback';

describe('pages on which somebody lets a program in', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  const post = async (path: string, body: object) => {
    const reply = await fetch(explorer.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(reply.ok).toBe(true);
    return (await reply.json()) as Readonly<Record<string, string>>;
  };
  const signIn = async (page: Page) => {
    await page.getByLabel('E-mail address').fill(SOMEBODY.email);
    await page.getByLabel('Password').fill(SOMEBODY.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  /** Colours and letters by which a page is told to be Plat's. */
  const dress = (page: Page) =>
    page.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      const colors = ['--paper', '--ink', '--soft', '--line', '--accent'].map(name => {
        probe.style.color = 'var(' + name + ')';
        return getComputedStyle(probe).color;
      });
      probe.remove();
      return [...colors, getComputedStyle(document.body).fontFamily];
    })()`);

  it.each(['light', 'dark'] as const)(
    'a device is approved, %s',
    async colorScheme => {
      const started = await post('/v1/mcp/device/start', { client_name: 'plat mcp on a laptop' });
      await using visit = await explorer.visit(`/device?user_code=${started.user_code}`, {
        connected: false,
        colorScheme,
      });
      const { page } = visit;
      await sound(visit, `device-sign-in-${colorScheme}`);
      await signIn(page);
      await page.getByText('plat mcp on a laptop').waitFor();
      await sound(visit, `device-approval-${colorScheme}`);
      const shown = await dress(page);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('Your device is logged in').waitFor();
      await sound(visit, `device-done-${colorScheme}`);
      await page.goto(`${explorer.address}/console`);
      expect(await dress(page)).toEqual(shown);
      expect((await post('/v1/mcp/device/poll', { device_code: started.device_code! })).token).toMatch(/^ey/);
    },
    120_000,
  );

  it.each(['light', 'dark'] as const)(
    'an agent is let in, %s',
    async colorScheme => {
      const { client_id } = await post('/register', {
        client_name: 'An agent',
        redirect_uris: [BACK],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
      const query = new URLSearchParams({
        client_id: client_id!,
        redirect_uri: BACK,
        response_type: 'code',
        state: 's',
        resource: `${explorer.address}/mcp`,
        scope: 'mcp',
        code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
        code_challenge_method: 'S256',
      });
      await using visit = await explorer.visit(`/authorize?${query}`, { connected: false, colorScheme });
      const { page } = visit;
      await sound(visit, `agent-sign-in-${colorScheme}`);
      await signIn(page);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      expect(await page.getByRole('main').innerText()).toContain('An agent');
      await sound(visit, `agent-consent-${colorScheme}`);
      await page.route(`${BACK}*`, route => route.fulfill({ contentType: 'text/html', body: 'back' }));
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${BACK}*`);
      expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
      // An answer by a form that sends itself on.
      await page.goto(`${explorer.address}/authorize?${query}&response_mode=form_post`);
      const posting = page.waitForRequest(request => request.method() === 'POST' && request.url() === BACK);
      await page.getByRole('button', { name: 'Allow' }).click();
      expect(new URLSearchParams((await posting).postData()!).get('code')).toMatch(/^[\w-]{20,}$/);
    },
    120_000,
  );
});
