import { createRequire } from 'node:module';
import proj4 from 'proj4';
import type { Box } from '../../../datasets/geometry.ts';
import { resolveCrs } from '../../../ingest/crs.ts';
import type { Sample } from './sample.ts';

const require = createRequire(import.meta.url);

/** A CRS that a file's coordinates may be in. */
export interface CrsGuess {
  readonly crs: string;
  readonly score: number;
  readonly why: string;
}

interface Definition {
  readonly code: string;
  readonly proj4: string;
  readonly kind: string;
  readonly name: string;
  /** North, west, south, east. */
  readonly bbox: readonly [number, number, number, number] | null;
  readonly area: string;
}

/** Box (lng,lat) of the states and territories; a place outside it is not in the country. */
const COUNTRY: Box = [-179.9, 13, -64, 72];
/** Coordinate systems in which cities publish, the usual ones first. Variants of NAD83 differ by less than a metre. */
const FAMILIES: readonly (readonly [RegExp, number])[] = [
  [
    /^NAD83 \/ (?!UTM|BLM|Conus|.*Albers|.*Lambert|.*GIC|Statistics|Canada|Great Lakes|Teranet|MTM|Alberta|Yukon|BC|NWT|Quebec)/,
    1,
  ],
  [/^NAD83 \/ UTM/, 0.9],
  [/^NAD83 \/ .*(Albers|GIC|Lambert|TM)/, 0.8],
  [/^WGS 84 \/ UTM zone \d+N/, 0.75],
  [/^NAD83\(HARN\) \/ (?!UTM)/, 0.7],
  [/^NAD83\(2011\) \/ (?!UTM)/, 0.65],
];
const WEB_MERCATOR = 'EPSG:3857';

const inside = (x: number, y: number, [a, b, c, d]: Box, by = 0) =>
  x >= a - by && x <= c + by && y >= b - by && y <= d + by;
const centre = ([a, b, c, d]: Box): [number, number] => [(a + c) / 2, (b + d) / 2];

let definitions: readonly { definition: Definition; family: number }[] | null = null;

function projected() {
  definitions ??= Object.values(require('epsg-index/all.json') as Record<string, Definition>).flatMap(definition => {
    const family = FAMILIES.find(([pattern]) => pattern.test(definition.name))?.[1];
    const usable = definition.kind === 'CRS-PROJCRS' && definition.bbox && /United States|USA/.test(definition.area);
    return usable && family !== undefined ? [{ definition, family }] : [];
  });
  return definitions;
}

/** Returns the lng,lat box of a box in a CRS, by its corners and the middles of its sides; null if it cannot be projected. */
export async function lngLatBox(box: Box, crs: string): Promise<Box | null> {
  try {
    const [a, b, c, d] = box;
    const [mx, my] = centre(box);
    const xy = [a, b, mx, b, c, b, c, my, c, d, mx, d, a, d, a, my];
    const out = await (await resolveCrs(crs, 'box')).toLngLat(Float64Array.from(xy));
    const xs = out.filter((_, i) => i % 2 === 0);
    const ys = out.filter((_, i) => i % 2 === 1);
    const found: Box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    return found.every(Number.isFinite) && Math.abs(found[0]) <= 180.001 && Math.abs(found[1]) <= 90.001 ? found : null;
  } catch {
    return null;
  }
}

const touches = (a: Box, b: Box, by: number) =>
  a[0] <= b[2] + by && a[2] >= b[0] - by && a[1] <= b[3] + by && a[3] >= b[1] - by;

/** Whether a box is in degrees (longitude first) and reaches the country. No other system has such small coordinates. */
const isDegrees = (box: Box) =>
  box[0] >= -180.001 && box[2] <= 180.001 && box[1] >= -90.001 && box[3] <= 90.001 && touches(box, COUNTRY, 1);

/** Whether a stated CRS can be right: its coordinates then lie in the country and near the other files. */
export async function isPlausible(sample: Pick<Sample, 'crs' | 'box'>, anchor: Box | null): Promise<boolean> {
  if (sample.crs === null || sample.box === null) return false;
  const box = await lngLatBox(sample.box, sample.crs);
  return box !== null && isDegrees(box) && (anchor === null || touches(box, anchor, 1));
}

/**
 * Returns CRSs for a file that states none or a wrong one, the best first. The middle of its box must lie in the area of use of
 * the CRS.
 * @param anchor lng,lat box of the known files of the place. @param state its name, for example Maine.
 */
export function guessCrs(box: Box, anchor: Box | null, state: string | null): CrsGuess[] {
  const near = (x: number, y: number) => (anchor ? (inside(x, y, anchor, 0.3) ? 1 : 0.3) : 0.8);
  const [x, y] = centre(box);
  if (isDegrees(box))
    return [{ crs: 'EPSG:4326', score: 0.95 * near(x, y), why: 'numbers are degrees of the country' }];
  const guesses: (CrsGuess & { at: readonly [number, number] })[] = [];
  const consider = (crs: string, definition: string, zone: Box, prior: number, why: string) => {
    let at: ArrayLike<number>;
    try {
      at = proj4(definition).inverse([x, y]);
    } catch {
      return;
    }
    const [lng, lat] = [at[0]!, at[1]!];
    if (!inside(lng, lat, COUNTRY) || !inside(lng, lat, zone, 0.15)) return;
    const fit = near(lng, lat);
    // Of equal systems (NAD83 and its later realisations) the first is enough.
    if (guesses.some(g => Math.abs(g.at[0] - lng) < 2e-5 && Math.abs(g.at[1] - lat) < 2e-5)) return;
    guesses.push({ crs, score: prior * fit, why, at: [lng, lat] });
  };
  for (const { definition, family } of [...projected()].sort((a, b) => b.family - a.family)) {
    const { bbox, area, name, code } = definition;
    const [north, west, south, east] = bbox!;
    const ofState = state === null ? 0.8 : area.includes(state) ? 1 : 0.5;
    consider(`EPSG:${code}`, definition.proj4, [west, south, east, north], 0.95 * family * ofState, name);
  }
  consider(WEB_MERCATOR, WEB_MERCATOR, COUNTRY, 0.9, 'Web Mercator');
  return guesses
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ crs, score, why }) => ({ crs, score, why }));
}
