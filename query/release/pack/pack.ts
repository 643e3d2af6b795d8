import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Geometry } from '../../../datasets/geometry.ts';
import type { Part, ReleaseFile } from '../../../datasets/release.ts';
import { polygonsToGeometry, ringsOf } from '../../geometry/geos.ts';
import { contains } from '../../geometry/point-in-polygon.ts';
import { ReleaseError } from '../manifest.ts';

/** Document of a pack, in the pack and in the home that it becomes. */
export interface PackDocument {
  readonly format: 1;
  readonly release: string;
  /** UTC with milliseconds and Z. */
  readonly made_at: string;
  /** When the release became current where it was made: the same. */
  readonly published_at: string;
  /** Polygons in which it answers as the server that it was made of, lng,lat degrees. */
  readonly area: { readonly type: 'MultiPolygon'; readonly coordinates: readonly Ring[][] };
  /** Paths of the files of the release that it holds, below the releases folder; sorted. */
  readonly files: readonly string[];
  /** SHA-256 of what beside them it holds, by name. */
  readonly lists: Readonly<Record<string, string>>;
}

type Ring = readonly (readonly [lng: number, lat: number])[];

/** What of a release a home has that was made for an area. */
export interface Pack {
  /** Polygons, lng,lat degrees. */
  readonly area: Geometry;
  /** Whether it answers at a place. */
  holds(lng: number, lat: number): boolean;
  /** Whether it was made without a file of its release. */
  lacks(file: ReleaseFile): boolean;
}

/** Lists beside the releases of a home that answers heed, and a pack takes along. */
export const PACKED_LISTS = ['corrections.ndjson', 'withheld.ndjson'] as const;

/** Where the corrections of the server stand that a pack was made on: what is accepted here comes behind them. */
export const packedCorrectionsPath = (home: string): string => join(home, 'packed-corrections.ndjson');

/** Where the document of a pack stands in the home that it became. */
export const packPath = (home: string): string => join(home, 'pack.json');

const digestOf = (json: string): string => createHash('sha256').update(json).digest('hex');

/** Text of a document, with a checksum over it, so that a damaged one cannot pass for one of other ground. */
export function packText(document: PackDocument): string {
  const json = JSON.stringify(document);
  return `${json.slice(0, -1)},"sha256":"${digestOf(json)}"}\n`;
}

/** @throws Error saying what is wrong. */
export function parsePack(text: string): PackDocument {
  const { sha256, ...document } = JSON.parse(text) as PackDocument & { readonly sha256: unknown };
  if (document.format !== 1)
    throw new Error(`it is of format ${document.format}, expected 1: a newer Plat may have made it`);
  if (sha256 !== digestOf(JSON.stringify(document))) throw new Error('its content does not have its checksum');
  return document;
}

/** Polygons as a document has them. */
export function packArea(geometry: Geometry): PackDocument['area'] {
  const ringOf = (xy: Float64Array): Ring =>
    Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!] as const);
  return { type: 'MultiPolygon', coordinates: ringsOf(geometry).map(rings => rings.map(ringOf)) };
}

/** The pack that a document describes. */
export function packOf({ area: { coordinates }, files }: PackDocument): Pack {
  const area = polygonsToGeometry(coordinates.map(rings => rings.map(ring => Float64Array.from(ring.flat()))));
  const paths = new Set(files);
  return {
    area,
    holds: (lng, lat) => contains(area, lng, lat),
    lacks: ({ path }) => !paths.has(path),
  };
}

/** The document of the pack that a home was made of; null where it was made of none. @throws ReleaseError for a damaged one. */
export function readPack(home: string): PackDocument | null {
  const path = packPath(home);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return parsePack(text);
  } catch (error) {
    throw new ReleaseError(`${path} is damaged: ${(error as Error).message}; remove ${home}, and open the pack again`);
  }
}

/** @throws ReleaseError for a home that was made of a pack. @param what is done with it, which takes the whole release. */
export function requireWhole(home: string, what: string): void {
  const document = readPack(home);
  if (document)
    throw new ReleaseError(
      `${home} is a pack of release ${document.release}, which holds only what its area needs: ${what} where that release is whole`,
    );
}

/** What a release is asked by. */
interface Packed {
  readonly pack?: Pack | null;
}

/** Whether a release is a pack that was made without a file. */
export const lacksFile = ({ pack }: Packed, file: ReleaseFile): boolean => pack?.lacks(file) ?? false;

/** Whether a release is a pack that was made without the rows of a partition. */
export const lacksRows = ({ pack }: Packed, { files }: Pick<Part, 'files'>): boolean =>
  pack != null && files.some(file => ROWS.has(file.role) && pack.lacks(file));

const ROWS: ReadonlySet<ReleaseFile['role']> = new Set(['features', 'rows', 'raster', 'graph']);
