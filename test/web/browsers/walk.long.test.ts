import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedArea, serveArea } from '../explorer.ts';
import { PICTURES } from '../flow.ts';
import type { DrivenBrowser } from './browser.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit } from './webkit.ts';

/** Milliseconds that something may take to be seen. */
const PATIENCE_MS = 60_000;

/** Somebody before such a browser. */
class Walker {
  readonly #browser: DrivenBrowser;
  constructor(browser: DrivenBrowser) {
    this.#browser = browser;
  }

  async sees(expression: string, what = expression): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    while (!(await this.#browser.evaluate(`Boolean(${expression})`))) {
      if (Date.now() > until)
        throw new Error(
          `${this.#browser.name} never showed ${what}: ${await this.#browser.evaluate('document.body.innerText')}`,
        );
      await new Promise(resolve => setTimeout(resolve, 250));
    }
  }

  readonly reads = (text: string) => this.sees(`document.body.innerText.includes(${JSON.stringify(text)})`, text);

  /** Clicks the middle of what a selector finds. */
  async clicks(selector: string): Promise<void> {
    const found = `document.querySelector(${JSON.stringify(selector)})`;
    await this.sees(found, selector);
    const [x, y] = (await this.#browser.evaluate(
      `(one => (one.scrollIntoView({ block: 'nearest' }), (({ x, y, width, height }) => [Math.round(x + width / 2), Math.round(y + height / 2)])(one.getBoundingClientRect())))(${found})`,
    )) as [number, number];
    await this.#browser.act([
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ]);
  }

  async types(text: string): Promise<void> {
    const actions = [...text].flatMap(value => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#browser.act([{ type: 'key', id: 'keys', actions }]);
  }

  async picture(name: string): Promise<void> {
    if (!PICTURES) return;
    await new Promise(resolve => setTimeout(resolve, 3_000));
    writeFileSync(join(PICTURES, `${this.#browser.name}-${name}.png`), await this.#browser.picture());
  }
}

const ENTER = '\uE007';

describe('the explorer in other browsers', () => {
  let area: ServedArea;
  beforeAll(async () => {
    area = await serveArea();
  }, 300_000);
  afterAll(() => area?.[Symbol.asyncDispose](), 60_000);

  const walk = async (open: () => Promise<DrivenBrowser>) => {
    await using browser = await open();
    const who = new Walker(browser);
    const { lat, lng, apn } = area.parcel;
    await browser.goTo(`${area.address}/#token=${area.token}&map=16/${lat}/${lng}`);
    await browser.evaluate(
      "(window.wrong = [], addEventListener('error', event => window.wrong.push(event.message)), addEventListener('unhandledrejection', event => window.wrong.push(String(event.reason))), 0)",
    );
    await who.reads('Click the map, or type an address above.');
    expect(await browser.evaluate('location.hash')).not.toContain('token');
    // The map is drawn by WebGL and lists its layers once it stands.
    await who.sees("document.querySelector('.map canvas.maplibregl-canvas')", 'a map');
    await who.sees(
      "[...document.querySelectorAll('.legend label')].some(one => one.textContent.includes('Parcels'))",
      'the list of layers',
    );
    expect(await browser.evaluate("document.body.innerText.includes('The map cannot be shown')")).toBe(false);
    await who.clicks('#locator');
    await who.types(`${lng}, ${lat}${ENTER}`);
    await who.reads(`Parcel ${apn}`);
    await who.reads('special flood hazard area?');
    await who.sees("document.querySelector('.verdict-outcome').textContent.length > 1", 'a verdict');
    await who.picture('place');
    await who.clicks('.bar button.icon');
    await who.reads('hectares');
    await who.clicks('nav a[href^="/search"]');
    await who.reads('Search parcels');
    await who.clicks('nav a[href^="/ask"]');
    await who.clicks('.examples button');
    await who.sees('document.querySelector(\'nav a[href^="/ask"][aria-current]\')', 'the page of questions');
    await who.clicks('.brand');
    // A click on the map finds the parcel in its middle.
    await browser.goTo(`${area.address}/#map=17/${lat}/${lng}`);
    await who.sees("document.querySelector('.map canvas.maplibregl-canvas')", 'a map');
    await who.clicks('.map canvas.maplibregl-canvas');
    await who.reads(`Parcel ${apn}`);
    expect(await browser.evaluate('window.wrong ?? []')).toEqual([]);
    await who.picture('parcel');
  };

  it('works in Firefox', { tags: ['Firefox'], timeout: 300_000 }, () => walk(openFirefox));
  it('works in WebKit', { tags: ['WebKit'], timeout: 300_000 }, () => walk(openWebKit));
});
