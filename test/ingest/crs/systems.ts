import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

import { resolveCrs } from '../../../ingest/crs.ts';
import { ReadError } from '../../../ingest/reader.ts';
import { geokeysCrs } from './geokeys.ts';

type Geokeys = readonly [directory: number[], doubles: number[] | null, text: string | null];

/** A coordinate reference system of PROJ's database whose area meets the United States or a territory, as systems.py wrote it. */
export interface System {
  readonly code: string;
  readonly name: string;
  /** x, y in it, and lng, lat of WGS 84 by PROJ. */
  readonly points: readonly (readonly [number, number, number, number])[];
  /** Null where GDAL cannot spell it so. */
  readonly texts: Readonly<Record<'gdal' | 'esri' | 'wkt2' | 'projjson', string | null>>;
  /** Keys of a GeoTIFF with its code where it has one, and spelled out. */
  readonly keys: Geokeys | null;
  readonly spelled: Geokeys | null;
}

export const SPELLINGS = ['code', 'gdal', 'esri', 'wkt2', 'projjson', 'keys', 'spelled'] as const;
export type Spelling = (typeof SPELLINGS)[number];

/** The systems of the file of expected values. */
export function systems(): readonly System[] {
  const bytes = brotliDecompressSync(readFileSync(new URL('systems.ndjson.br', import.meta.url)));
  return bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as System);
}

/** Folder of made-up grids for older datums, from shifted.py. */
export const GRIDS = fileURLToPath(new URL('grids', import.meta.url));

type Place = readonly [lng: number, lat: number];

/** Where PROJ puts the points of systems by those grids, as shifted.py wrote it: by code; null for a point beyond them. */
const shifted = new Map(
  readFileSync(new URL('shifted.ndjson', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as [code: string, places: readonly (Place | null)[]]),
);

/** Whether the grids of `GRIDS` move a point of a system. */
export const isShifted = ({ code }: System) => shifted.has(code);

const placesOf = ({ code, points }: System, gridded: boolean): readonly (Place | null)[] =>
  gridded ? shifted.get(code)! : points.map(([, , lng, lat]): Place => [lng, lat]);

/**
 * What became of a system in a spelling: metres by which the worst point is off, or the refusal; null if it has no such one.
 * @param gridded whether PROJ has the grids of `GRIDS`, which move the system; points beyond them are left out.
 */
export async function judged(system: System, spelling: Spelling, gridded = false): Promise<number | string | null> {
  let text: string | null;
  if (spelling === 'code') text = system.code;
  else if (spelling === 'keys' || spelling === 'spelled') {
    const keys = system[spelling];
    if (!keys) return null;
    const [directory, doubles, ascii] = keys;
    text = await geokeysCrs({ directory, doubles: doubles ?? [], text: ascii?.replace(/\0$/, '') ?? '' });
  } else text = system.texts[spelling];
  if (text === null) return spelling === 'keys' || spelling === 'spelled' ? 'GDAL reads no CRS from its keys' : null;
  try {
    const crs = await resolveCrs(text, system.code);
    const lngLat = await crs.toLngLat(Float64Array.from(system.points.flatMap(point => point.slice(0, 2))));
    return Math.max(
      ...placesOf(system, gridded).map((place, i) => {
        if (place === null) return 0;
        const [lng, lat] = place;
        const east = (lngLat[i * 2]! - lng) * Math.cos((lat * Math.PI) / 180);
        return 111_320 * Math.hypot(east, lngLat[i * 2 + 1]! - lat);
      }),
    );
  } catch (error) {
    if (error instanceof ReadError && error.code === 'crs_unknown') return error.why;
    throw error;
  }
}

/** Reasons for which a system is refused or differs, by the codes of the table. */
export const TABLE = JSON.parse(readFileSync(new URL('refused.json', import.meta.url), 'utf8')) as Readonly<
  Record<'grid' | 'noShift' | 'approximate', readonly string[]>
> & {
  /** Spellings that are read otherwise than the code of the system by PROJ itself, or by another version of PROJ. */
  readonly differs: Readonly<Record<string, readonly Spelling[]>>;
};

type Reason = 'grid' | 'noShift' | 'approximate';
const REASONS: readonly (readonly [Reason, RegExp])[] = [
  ['grid', /needs a shift grid, such as/],
  ['noShift', /PROJ knows no shift/],
  ['approximate', /its shift to WGS 84 is approximate/],
];

/** Whether an outcome is a place within 5 cm of PROJ's. */
export const isRight = (outcome: number | string) => typeof outcome === 'number' && outcome <= 0.05;

/** Under which reason of the table an outcome falls; null for one that is right. */
function reasonOf(outcome: number | string): Reason | 'differs' | 'unknown' | null {
  if (typeof outcome === 'number') return isRight(outcome) ? null : 'differs';
  return REASONS.find(([, pattern]) => pattern.test(outcome))?.[0] ?? 'unknown';
}

/**
 * Whether the table says so of a system. An older datum is refused in every spelling where PROJ has no grid. Of what differs,
 * versions of PROJ (9.1 wrote the file, 9.3 reads it) take another method, or PROJ finds in WKT 1 and in keys of a GeoTIFF no shift of a
 * datum that it knows by its code: there, ogr2ogr is off by as much.
 * @param gridded as `judged` has it.
 */
export function isStated({ code }: System, spelling: Spelling, outcome: number | string, gridded = false): boolean {
  const reason = reasonOf(outcome);
  if (reason === 'differs') return TABLE.differs[code]?.includes(spelling) ?? false;
  const isOlder = !gridded && REASONS.some(([name]) => TABLE[name].includes(code));
  return reason === 'unknown' ? false : isOlder === (reason !== null);
}
