import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Explorer } from '../explorer.ts';
import { PHONE, picture } from '../flow.ts';
import { codeNamesIn, wordsOn } from './code-names.ts';

/** What of a page lies over something else that is read, or beyond the screen: a line for each. */
export async function overlapsOn(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => {
    const wide = document.documentElement.scrollWidth > innerWidth + 1 ? ['the page is wider than the screen'] : [];
    const leaves = [...document.querySelectorAll('main *, header *, .map .maplibregl-ctrl, .map-note')].filter(one => {
      if (one.closest('.request, [hidden], .visually-hidden, dialog, select, .skip, .histogram-bars')) return false;
      const isLeaf = one.matches('.maplibregl-ctrl, .map-note, input, select, button') ||
        [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim() !== '');
      return isLeaf && one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    });
    const boxes = leaves.map(one => {
      // Inline text has a box a line.
      const range = document.createRange();
      range.selectNodeContents(one);
      const rects = one.matches('.maplibregl-ctrl, .map-note, input, select, button') ? [one.getBoundingClientRect()] : [...range.getClientRects()];
      return { one, rects: rects.filter(({ width, height }) => width > 2 && height > 2) };
    });
    const found = [];
    for (let i = 0; i < boxes.length; i++)
      for (let j = i + 1; j < boxes.length; j++) {
        const [a, b] = [boxes[i], boxes[j]];
        if (a.one.contains(b.one) || b.one.contains(a.one)) continue;
        // The panel scrolls below the bar, and the map has nothing of the panel over it.
        if (!!a.one.closest('main') !== !!b.one.closest('main')) continue;
        const meet = a.rects.some(p => b.rects.some(q =>
          Math.min(p.right, q.right) - Math.max(p.left, q.left) > 3 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 5));
        if (meet) found.push(a.one.textContent.trim().slice(0, 40) + ' | ' + b.one.textContent.trim().slice(0, 40));
      }
    return [...wide, ...found];
  })()`)) as string[];
}

/** The views that are looked at, by name: the address behind the server's own for a place. */
const SIGHTS: Readonly<Record<string, (place: string) => string>> = {
  start: () => '/',
  place: place => `/#${place}`,
  parcel: place => `/parcel#${place}`,
  search: () => `/search#n=25&f=${encodeURIComponent(JSON.stringify([{ field: 'acreage', op: 'lt', value: 3 }]))}`,
  ask: place => `/ask#${place}&q=${encodeURIComponent('Does it flood here, and why?')}`,
  elsewhere: () => '/#map=10/40.7/-74',
};

/** Pictures of all views, on a desk and a phone, light and dark: 24, each without failures, names for programs and overlaps. */
export function sights(explorerOf: () => Explorer, prefix: string, placeOf: () => string): void {
  for (const [size, screen] of [
    ['desk', {}],
    ['phone', PHONE],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [name, pathOf] of Object.entries(SIGHTS))
        it(`${prefix}-${name}-${size}-${colorScheme}`, async () => {
          await using visit = await explorerOf().visit(pathOf(placeOf()), { colorScheme, ...screen });
          const { page } = visit;
          await page.waitForLoadState('networkidle', { timeout: 60_000 });
          for (const busy of ['.waiting', '[aria-busy]'])
            await page.locator(busy).first().waitFor({ state: 'detached' });
          await picture(page, `${prefix}-${name}-${size}-${colorScheme}`);
          expect(await overlapsOn(page)).toEqual([]);
          expect(await page.locator('.badge.failed').count()).toBe(0);
          expect(await page.locator('main').innerText()).not.toMatch(/\bfailed\b/);
          expect(codeNamesIn(await wordsOn(page))).toEqual([]);
          expect(visit.wrong).toEqual([]);
        }, 120_000);
}
