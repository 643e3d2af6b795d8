import type { Page } from 'playwright-core';

/** Pixels of the world at zoom 0. */
const WORLD = 512;

/** Web Mercator, 0 to 1. */
const mercator = (lng: number, lat: number) => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [(lng + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)] as const;
};

/** Where a place is on the page, by the view of the map that the address tells. The map must rest. */
export async function pixelAt(page: Page, place: { readonly lat: number; readonly lng: number }) {
  const text = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('map')!;
  const [zoom, lat, lng] = text.split('/').map(Number) as [number, number, number];
  const box = (await page.locator('.map canvas').first().boundingBox())!;
  const scale = WORLD * 2 ** zoom;
  const [x, y] = mercator(place.lng, place.lat);
  const [middleX, middleY] = mercator(lng, lat);
  return {
    x: box.x + box.width / 2 + (x - middleX) * scale,
    y: box.y + box.height / 2 + (y - middleY) * scale,
  };
}
