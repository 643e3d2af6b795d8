import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from '../contract/plat.ts';
import { freePort } from '../free-port.ts';
import { syntheticHome } from '../synthetic-home.ts';
import { CHROMIUM } from './explorer.ts';

/** Where a picture of each step goes, when somebody wants to look at them. */
const PICTURES = process.env.PLAT_PICTURES;
if (PICTURES) mkdirSync(PICTURES, { recursive: true });

/** Somebody who sees the page and nothing else: each step is one thing that they do, by what it is called there. */
class Newcomer {
  readonly page: Page;
  readonly #name: string;
  readonly #since = performance.now();
  readonly #steps: string[] = [];

  constructor(page: Page, name: string) {
    this.page = page;
    this.#name = name;
  }

  async does(step: string, how: () => Promise<unknown>): Promise<void> {
    await how();
    this.#steps.push(step);
    if (!PICTURES) return;
    await this.page.waitForTimeout(1_500);
    await this.page.screenshot({ path: join(PICTURES, `newcomer-${this.#name}-${this.#steps.length}.png`) });
  }

  /** What is on the screen, so that nobody has to scroll for it. */
  async sees(what: Locator): Promise<void> {
    await what.waitFor();
    const { y, height } = (await what.boundingBox())!;
    const screen = this.page.viewportSize()!.height;
    expect(y + height > 0 && y < screen, `${what} is ${y} pixels from the top of a screen of ${screen}`).toBe(true);
  }

  async ends(): Promise<void> {
    const seconds = (performance.now() - this.#since) / 1000;
    console.log(
      `Newcomer, ${this.#name}: ${this.#steps.length} steps in ${seconds.toFixed(1)} s: ${this.#steps.join('; ')}`,
    );
    const copied = (await this.page.evaluate('navigator.clipboard.readText()')) as string;
    expect(copied).toMatch(/^curl .*\/v1\/fetch/);
    expect(copied).toContain('flood_risk');
  }
}

describe('somebody who has never read the interface', { tags: ['Chromium'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-newcomer-'));
  let address: string;
  let end: () => Promise<unknown>;
  beforeAll(async () => {
    const home = join(folder, 'home');
    cpSync((await syntheticHome()).home, home, { recursive: true });
    const port = String(await freePort());
    const served = start(home, ['serve', '--welcome'], { PORT: port, PLAT_PUBLIC_URL: `http://127.0.0.1:${port}` });
    const ended = new Promise(resolve => served.once('close', resolve));
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
    end = async () => {
      await browser.close();
      served.kill('SIGTERM');
      await ended;
    };
    for await (const line of createInterface({ input: served.stdout! })) {
      // The address as it is printed, with the token.
      [address = ''] = /http:\/\/\S+\/#token=\S+/.exec(line) ?? [];
      if (address !== '') break;
    }
    comes = async options => {
      const context = await browser.newContext(options);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      return context.newPage();
    };
  }, 300_000);
  let comes: (options: BrowserContextOptions) => Promise<Page>;
  afterAll(async () => {
    await end?.();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }, 60_000);

  const learn = async (who: Newcomer) => {
    const { page } = who;
    const zone = page.getByRole('group').filter({ hasText: 'FEMA flood zone' }).first();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    // Yes or no comes first, and without scrolling.
    await who.sees(verdict.getByText('The place is in a special flood hazard area?'));
    await who.sees(verdict.getByText(/^(Yes|No|In part|On the line)$/).first());
    // What it means stands open below it.
    await who.does('scrolls to what the flood zone means', () =>
      zone.getByText(/flood insurance/).scrollIntoViewIfNeeded(),
    );
    await who.sees(zone.getByText(/flood insurance/));
    await who.does('copies the request', () => page.getByRole('button', { name: 'Copy curl' }).click());
    await who.ends();
  };

  it.each(['light', 'dark'] as const)(
    'clicks a parcel on the map, learns why it floods and copies the request, %s',
    async colorScheme => {
      const page = await comes({ viewport: { width: 1280, height: 800 }, colorScheme });
      const who = new Newcomer(page, `map-${colorScheme}`);
      await who.does('opens the printed address', () => page.goto(address));
      await who.sees(page.getByText('Click the map', { exact: false }));
      await page.getByRole('region', { name: 'Map', exact: true }).locator('canvas').waitFor();
      await page.waitForLoadState('networkidle');
      await who.does('clicks the map', () => page.getByRole('region', { name: 'Map', exact: true }).click());
      await learn(who);
    },
    120_000,
  );

  it.each(['light', 'dark'] as const)(
    'on a phone searches a parcel in a flood zone, learns why it floods and copies the request, %s',
    async colorScheme => {
      const page = await comes({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme });
      const who = new Newcomer(page, `phone-${colorScheme}`);
      await who.does('opens the printed address', () => page.goto(address));
      await who.does('goes to Search', () =>
        page.getByRole('navigation').getByRole('link', { name: 'Search' }).click(),
      );
      await who.does('adds a condition', () => page.getByRole('button', { name: 'Add a condition' }).click());
      await who.does('types what it is about', () =>
        page.getByRole('combobox', { name: 'Field' }).pressSequentially('flood zone'),
      );
      await who.does('takes what is offered', () =>
        page.getByRole('option').filter({ hasText: 'FEMA flood zone' }).first().click(),
      );
      await who.does('chooses AE', () => page.getByLabel(/^Value of/).selectOption({ label: 'AE' }));
      await who.does('searches', () => page.getByRole('button', { name: 'Search', exact: true }).click());
      const parcels = page.getByRole('region', { name: 'Parcels found' }).getByRole('link');
      await who.does('opens the first parcel', () => parcels.first().click());
      await who.does('asks for its flood risk', () => page.getByRole('link', { name: 'Flood risk here' }).click());
      await learn(who);
    },
    120_000,
  );
});
