import { STATE_BOXES } from '../../../datasets/codes/state-boxes.ts';
import { stateName } from '../../../datasets/codes/state-names.ts';
import type { Box } from '../../../datasets/geometry.ts';
import { epsgSystems } from '../../../ingest/crs/epsg-systems.ts';
import { resolveCrs } from '../../../ingest/crs.ts';
import type { Sample } from './sample.ts';

/** A CRS that a file's coordinates may be in. */
export interface CrsGuess {
  readonly crs: string;
  readonly score: number;
  readonly why: string;
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
/** Counties of an area of use, some of which are called like a state. */
const COUNTIES = / - count(?:y|ies)\b.*$/;
const USUAL_FAMILY = 0.75;
const WEB_MERCATOR = 'EPSG:3857';

const inside = (x: number, y: number, [a, b, c, d]: Box, by = 0) =>
  x >= a - by && x <= c + by && y >= b - by && y <= d + by;
const centre = ([a, b, c, d]: Box): [number, number] => [(a + c) / 2, (b + d) / 2];

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
 * the CRS. PROJ is asked about systems of the ground of the place, where that is known, and only else about the whole country's.
 * @param anchor lng,lat box of the known files of the place. @param state its two letters, for example ME.
 */
export async function guessCrs(box: Box, anchor: Box | null, state: string | null): Promise<CrsGuess[]> {
  const near = (x: number, y: number) => (anchor ? (inside(x, y, anchor, 0.3) ? 1 : 0.3) : 0.8);
  const [x, y] = centre(box);
  if (isDegrees(box))
    return [{ crs: 'EPSG:4326', score: 0.95 * near(x, y), why: 'numbers are degrees of the country' }];
  const guesses: (CrsGuess & { at: readonly [number, number] })[] = [];
  const consider = async (crs: string, zone: Box, prior: number, why: string) => {
    const [lng, lat] = (await lngLatBox([x, y, x, y], crs)) ?? [NaN, NaN];
    if (!inside(lng, lat, COUNTRY) || !inside(lng, lat, zone, 0.15)) return;
    const fit = near(lng, lat);
    // Of equal systems (NAD83 and its later realisations) the first is enough.
    if (guesses.some(g => Math.abs(g.at[0] - lng) < 2e-5 && Math.abs(g.at[1] - lat) < 2e-5)) return;
    guesses.push({ crs, score: prior * fit, why, at: [lng, lat] });
  };
  const called = stateName(state);
  const systems = (await epsgSystems())
    .flatMap(system => {
      const family = FAMILIES.find(([pattern]) => pattern.test(system.name))?.[1];
      return family === undefined ? [] : [{ ...system, family }];
    })
    .sort((a, b) => b.family - a.family);
  const ground = anchor ?? (state === null ? null : STATE_BOXES[state]) ?? COUNTRY;
  const consideredWithin = async (wanted: Box) => {
    for (const { code, name, area, box: zone, family } of systems) {
      // Of the whole country, later realisations of NAD83 are not asked about one by one.
      if (!touches(zone, wanted, 0.3) || (wanted === COUNTRY && family < USUAL_FAMILY)) continue;
      const ofState = called === null ? 0.8 : area.replace(COUNTIES, '').includes(called) ? 1 : 0.5;
      await consider(code, zone, 0.95 * family * ofState, name);
    }
  };
  await consideredWithin(ground);
  await consider(WEB_MERCATOR, COUNTRY, 0.9, 'Web Mercator');
  if (guesses.length === 0 && ground !== COUNTRY) await consideredWithin(COUNTRY);
  return guesses
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ crs, score, why }) => ({ crs, score, why }));
}
