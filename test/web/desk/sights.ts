import { expect, it } from 'vitest';
import type { Explorer } from '../explorer.ts';
import { codeNamesIn, wordsOn } from '../first-look/code-names.ts';
import { overlapsOn } from '../first-look/sights.ts';
import { PHONE, picture } from '../flow.ts';
import type { DeskPlace } from './ten-tasks.ts';

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

/** A condition that many parcels pass, and one whose values are counted. */
const CONDITIONS = [
  { field: 'acreage', op: 'between', value: [0.2, 3] },
  { field: 'fema_flood_zone', op: 'eq', value: 'X' },
];

/** What is looked at of the desk, by name: the address for a place, and what is pressed there. */
const SIGHTS: Readonly<Record<string, { readonly path: (place: string) => string; readonly presses?: string }>> = {
  table: { path: () => `/search#n=25&as=table&f=${json(CONDITIONS)}` },
  groups: { path: () => `/search#n=25&as=map&by=9&of=median:acreage&f=${json(CONDITIONS.slice(0, 1))}` },
  buildings: { path: place => `/parcel#${place}&tool=buildings` },
  buildable: { path: place => `/parcel#${place}&tool=buildable`, presses: 'Draw it for 10 credits' },
  together: { path: place => `/parcel#${place}&tool=together&acres=3` },
  report: { path: place => `/parcel#${place}&report=yes` },
};

/** Pictures of the desk, on a desk and a phone, light and dark: 24, each without failures, names for programs and overlaps. */
export function deskSights(explorerOf: () => Explorer, prefix: string, placeOf: () => DeskPlace): void {
  for (const [size, screen] of [
    ['desk', {}],
    ['phone', PHONE],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [name, { path, presses }] of Object.entries(SIGHTS))
        it(`${prefix}-${name}-${size}-${colorScheme}`, async () => {
          const { lat, lng } = placeOf();
          const address = path(`at=${lat},${lng}&map=16/${lat}/${lng}`);
          await using visit = await explorerOf().visit(address, { colorScheme, ...screen });
          const { page } = visit;
          page.setDefaultTimeout(60_000);
          await page.locator('.match-table .desk-table, .tools .card, article.report').first().waitFor();
          if (presses) {
            await page.getByRole('button', { name: presses }).click();
            await page
              .getByText(/can be built on|is not known/)
              .first()
              .waitFor();
          }
          await page.waitForLoadState('networkidle', { timeout: 60_000 });
          for (const busy of ['.waiting', 'main [aria-busy=true]', '.report .no-print'])
            await page.locator(busy).first().waitFor({ state: 'detached' });
          // What is looked at stands at the top of its panel.
          await page.evaluate("document.querySelector('.match-table, .tools, .report').scrollIntoView()");
          await picture(page, `${prefix}-${name}-${size}-${colorScheme}`);
          expect(await overlapsOn(page)).toEqual([]);
          expect(await page.locator('.badge.failed, main .failed').count()).toBe(0);
          expect(codeNamesIn(await wordsOn(page))).toEqual([]);
          expect(visit.wrong).toEqual([]);
        }, 180_000);
}
