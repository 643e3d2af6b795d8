import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { identified } from '../../pipelines/release/manifest.ts';
import { publish } from '../../query/release/home/publish.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { hashPassword } from '../../server/provider/password.ts';
import { openState } from '../../server/state/open.ts';
import { plat, type Served, serve } from '../contract/plat.ts';
import { freePort } from '../free-port.ts';
import { syntheticHome } from '../synthetic-home.ts';

export const CHROMIUM = '/usr/bin/chromium';
/** Who signs in. */
export const SOMEBODY = { email: 'ann@example.org', password: 'correct horse battery' } as const;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page with what went wrong on it. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the console and of scripts, and requests to other hosts. */
  readonly wrong: string[];
  /** What axe says of the page as it stands, one line a rule and element. @param apartFrom a selector of what it leaves out. */
  violations(apartFrom?: string): Promise<string[]>;
}

/** A server of the synthetic area. */
export interface ServedArea extends AsyncDisposable {
  readonly address: string;
  readonly home: string;
  readonly token: string;
  /** A point well inside a parcel, with its number. */
  readonly parcel: { readonly lat: number; readonly lng: number; readonly apn: string };
}

/** A server of the synthetic area with a browser before it. */
export interface Explorer extends ServedArea {
  /** Publishes the same data as another release. @returns its id. */
  publishAgain(): Promise<string>;
  /** Opens a page that knows nobody. @param path behind the address of the server. */
  visit(path: string, options?: BrowserContextOptions & { readonly connected?: boolean }): Promise<Visit>;
}

interface Found {
  readonly matches: readonly {
    readonly apn: string;
    readonly analysis_point: { readonly lat: number; readonly lng: number };
  }[];
}

/**
 * Serves a copy of the shared area, or of another home.
 * @param env settings of the server beside its own. @param of another home, which has parcels of Maine.
 */
export async function serveArea(env: Readonly<Record<string, string>> = {}, of?: string): Promise<ServedArea> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-explorer-'));
  const home = join(folder, 'home');
  cpSync(of ?? (await syntheticHome()).home, home, { recursive: true });
  const token = plat(home, 'token', 'create', '--account', 'local@example.org', '--plan', 'scale').stdout.trim();
  const state = await openState(home, '');
  const user = await state.users.open(SOMEBODY.email, null);
  await state.users.setPassword(user.id, await hashPassword(SOMEBODY.password));
  await state.users.verify(user.id, Date.now());
  await state.close();
  const port = String(await freePort());
  const served: Served = await serve(home, { PORT: port, PLAT_PUBLIC_URL: `http://127.0.0.1:${port}`, ...env });
  const answer = await fetch(`${served.address}/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      filters: [
        { field: 'state', op: 'eq', value: 'ME' },
        { field: 'acreage', op: 'lt', value: 3 },
      ],
      limit: 1,
    }),
  });
  const { apn, analysis_point: point } = ((await answer.json()) as Found).matches[0]!;
  return {
    address: served.address,
    home,
    token,
    parcel: { ...point, apn },
    async [Symbol.asyncDispose]() {
      served.child.kill('SIGTERM');
      await served.ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
}

/** Serves as serveArea does, and starts Chromium. */
export async function openExplorer(env: Readonly<Record<string, string>> = {}, of?: string): Promise<Explorer> {
  const served = await serveArea(env, of);
  const { home, token } = served;
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  return {
    ...served,
    async publishAgain() {
      const releases = join(home, 'releases');
      const manifest = readManifest(releases, currentId(releases)!);
      const next = identified({ ...manifest, previous: manifest.id });
      await publish(releases, next);
      return next.id;
    },
    async visit(path, { connected = true, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: served.address });
      const page = await context.newPage();
      const wrong: string[] = [];
      page.on('console', message => {
        // Software rendering warns of its own slowness.
        if (message.type() === 'error') wrong.push(message.text());
      });
      page.on('pageerror', error => wrong.push(String(error)));
      page.on('request', request => {
        const { protocol, origin } = new URL(request.url());
        if (/^https?:$/.test(protocol) && origin !== served.address) wrong.push(`asked ${request.url()}`);
      });
      if (connected) await page.addInitScript(kept => sessionStorage.setItem('plat.token', kept), token);
      await page.goto(served.address + path);
      return {
        page,
        wrong,
        async violations(apartFrom) {
          await page.evaluate(axe);
          const judged = apartFrom === undefined ? 'document' : JSON.stringify({ exclude: [apartFrom] });
          const { violations } = (await page.evaluate(
            `axe.run(${judged}, { rules: { 'target-size': { enabled: true } } })`,
          )) as {
            violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
          };
          return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary}`));
        },
        [Symbol.asyncDispose]: () => context.close(),
      };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await served[Symbol.asyncDispose]();
    },
  };
}
