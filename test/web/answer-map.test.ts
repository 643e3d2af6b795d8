// The map of an answer in a chat: the page that /mcp serves, in Chromium with the bridge of the protocol's project as its host.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Frame } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageText } from '../../query/search/page/written-page.ts';
import { connect } from '../contract/client.ts';
import { GENERATIONS, type McpClient } from '../server/mcp/mcp-clients.ts';
import { type Fixture, openFixture } from '../server/service-fixture.ts';

const CHROMIUM = '/usr/bin/chromium';
if (!existsSync(CHROMIUM)) console.warn('skipped: no Chromium here; on Debian `apt-get install chromium`');

/** The host as one script. */
async function hostScript(): Promise<string> {
  const entry = fileURLToPath(new URL('answer-host.ts', import.meta.url));
  const lib = { entry, formats: ['es' as const], fileName: 'host' };
  const [built] = [await build({ configFile: false, logLevel: 'silent', build: { write: false, lib } })].flat();
  const { output } = built as { output: readonly { type: string; code?: string }[] };
  return output.find(({ type }) => type === 'chunk')!.code!;
}

describe('the map of an answer', { tags: ['Chromium'] }, () => {
  let fixture: Fixture;
  let client: McpClient;
  let browser: Browser;
  let page: string;
  let script: string;
  beforeAll(async () => {
    fixture = await openFixture({ plan: 'scale' });
    const { base } = await connect(fixture);
    client = await GENERATIONS['the SDK of 2026']!(base, { authorization: `Bearer ${fixture.token}` });
    const search = (await client.tools()).find(({ name }) => name === 'service_search') as object as {
      readonly _meta: { readonly ui: { readonly resourceUri: string } };
    };
    page = await client.read(search._meta.ui.resourceUri);
    script = await hostScript();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await client?.close();
    await fixture?.[Symbol.asyncDispose]();
  });

  /** The frame of the page once it shows an answer. */
  async function shown(answer: object, ready: string): Promise<Frame> {
    const tab = await browser.newPage();
    await tab.setContent('<!doctype html><title>Chat</title>');
    await tab.addScriptTag({ content: script, type: 'module' });
    await tab.waitForFunction(() => 'host' in window);
    await tab.evaluate(([html, given]) => window.host.open(html, given), [page, answer] as const);
    const frame = tab.frames().at(-1)!;
    await frame.waitForSelector(ready);
    return frame;
  }

  it('shows the matches of a search where they lie, and opens the explorer through its host', async () => {
    const match = (apn: string, lat: number, lng: number) => ({
      ...{ apn, address: null, city: null, county: 'Test', state: 'ME', acreage: 2.5 },
      analysis_point: { lat, lng },
      ...{ fields: {}, field_status: {} },
    });
    const matches = [match('south-west', 44.8, -68.8), match('north-east', 44.9, -68.7)];
    fixture.engine.found = {
      matches: pageText([Buffer.from(JSON.stringify(matches))]),
      ...{ status: 'complete', reason: 'exhausted', next: null, outline: { count: 2, first: '[]' } },
    };
    const filters = [{ field: 'state', op: 'eq', value: 'ME' }];
    const { structuredContent } = await client.call('service_search', { filters }, { beside: {} });
    const frame = await shown(structuredContent, 'svg circle');
    const spots = await frame.$$eval('circle', all =>
      all.map(one => ['cx', 'cy'].map(key => Number(one.getAttribute(key)))),
    );
    expect(spots).toHaveLength(2);
    const [[x1, y1], [x2, y2]] = spots as [[number, number], [number, number]];
    // A tenth of a degree of each: north is up, and a degree of longitude is cos 44.85° of one of latitude.
    expect(x2 - x1).toBeGreaterThan(0);
    expect((x2 - x1) / (y1 - y2)).toBeCloseTo(Math.cos((44.85 * Math.PI) / 180), 2);
    expect(await frame.$$eval('li', all => all.map(one => one.textContent))).toEqual(['south-west', 'north-east']);
    await frame.click('button');
    const tab = frame.page();
    await tab.waitForFunction(() => window.host.opened.length === 1);
    expect(await tab.evaluate(() => window.host.opened)).toEqual([structuredContent.view_url]);
    await tab.close();
  });

  it('draws areas, says that an answer names no place, and takes the words of data for words', async () => {
    const ring = [
      [-68.8, 44.8],
      [-68.7, 44.8],
      [-68.7, 44.9],
      [-68.8, 44.8],
    ];
    const area = await shown({ features: [{ geometry: { type: 'Polygon', coordinates: [ring] } }] }, 'svg .area');
    expect(await area.$eval('.area', one => one.getAttribute('d')!.match(/[ML]/g)!.join(''))).toBe('MLLL');
    await area.page().close();
    const none = await shown({ count: 7 }, 'text=names no place');
    await none.page().close();
    const hostile = await shown({ lat: 44.8, lng: -68.7, address: '<img src=x onerror=alert(1)>' }, 'svg circle');
    expect(await hostile.$$('img')).toEqual([]);
    expect(await hostile.textContent('li')).toBe('<img src=x onerror=alert(1)>');
    await hostile.page().close();
  });
});
