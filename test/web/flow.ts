import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Explorer, Visit } from './explorer.ts';

/** Where pictures of the views go, when somebody wants to look at them. */
export const PICTURES = process.env.PLAT_PICTURES;
if (PICTURES) mkdirSync(PICTURES, { recursive: true });

/** Takes a picture of what is seen, when somebody wants to look at it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  // Tiles come one after another, and are drawn a moment later.
  await page
    .locator('.map-canvas[aria-busy]')
    .waitFor({ state: 'detached', timeout: 20_000 })
    .catch(() => {});
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Asserts what every view must hold, whatever was done on it. */
export async function sound(visit: Visit, name: string): Promise<void> {
  await picture(visit.page, name);
  expect(await visit.violations()).toEqual([]);
  expect(visit.wrong).toEqual([]);
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** What stands behind `#` for the parcel of an explorer, with the map about it. */
export const placeOf = ({ parcel: { lat, lng } }: Explorer): string =>
  `at=${lat.toFixed(6)},${lng.toFixed(6)}&map=17/${lat.toFixed(5)}/${lng.toFixed(5)}`;
