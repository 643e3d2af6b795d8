import type { PublishedFile } from '../../../datasets/acquire.ts';
import type { Catalog } from '../../../datasets/catalog.ts';
import { countyBox } from '../../../datasets/codes/county-boxes.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { contains } from '../../../query/geometry/point-in-polygon.ts';
import { outlineOf } from './county-outline.ts';
import type { CountyOfPlace } from './source-layer.ts';

/** What stands for the placeholders of an address, of one piece of a dataset. */
export type Piece = Readonly<Record<string, string>>;

/** States of the volumes of NOAA Atlas 14, by the names of their files (https://hdsc.nws.noaa.gov/pfds/); none has OR and WA. */
const VOLUMES: Readonly<Record<string, string>> = {
  ak: 'AK',
  hi: 'HI',
  inw: 'ID MT WY',
  mw: 'CO IA KS MI MN MO ND NE OK SD WI',
  ne: 'CT MA ME NH NY RI VT',
  orb: 'DC DE IL IN KY MD NC NJ OH PA SC TN VA WV',
  se: 'AL AR FL GA LA MS',
  sw: 'AZ CA NM NV UT',
  tx: 'TX',
};

/** Degrees that the tiles of the elevation reach beyond their square on each side: six of 1/3 arc-seconds. */
const TILE_MARGIN = 6 / 10_800;

/** Whether a square of one degree, by its north-west corner, has ground of an outline. */
function hasGround(outline: Geometry, left: number, top: number): boolean {
  const { xy } = outline;
  for (let i = 0; i < xy.length; i += 2)
    if (xy[i]! >= left && xy[i]! <= left + 1 && xy[i + 1]! >= top - 1 && xy[i + 1]! <= top) return true;
  return contains(outline, left + 0.5, top - 0.5);
}

/** Names of the tiles of one degree that a county reaches, by their north-west corner: n45w069. Of open water there are none. */
function tilesOf({ county }: CountyOfPlace): readonly string[] {
  const [west, south, east, north] = countyBox(county)!;
  const outline = outlineOf(county);
  const tiles: string[] = [];
  for (let top = Math.floor(south + TILE_MARGIN) + 1; top - 1 < north - TILE_MARGIN; top++)
    for (let left = Math.floor(west + TILE_MARGIN); left < east - TILE_MARGIN; left++) {
      if (outline && !hasGround(outline, left, top)) continue;
      const digits = String(Math.abs(left)).padStart(3, '0');
      tiles.push(`n${String(top).padStart(2, '0')}${left < 0 ? 'w' : 'e'}${digits}`);
    }
  return tiles;
}

/** Placeholders of pieces that are told without asking anybody. */
const PIECES: Readonly<Record<string, (of: CountyOfPlace) => readonly string[]>> = {
  tile: tilesOf,
  volume: ({ state }) => Object.keys(VOLUMES).filter(name => VOLUMES[name]!.split(' ').includes(state)),
  // Annual standards for fine particles; that of 2006 is for a day.
  standard: () => ['1997', '2012'],
  utilities: () => ['iou', 'non_iou'],
};

/** The only placeholder of an address that names a piece; null where there is none, or several. */
function placeholderOf({ url, vintage }: PublishedFile): string | null {
  const text = `${url} ${vintage && 'index' in vintage ? `${vintage.index} ${vintage.link}` : ''}`;
  const names = new Set([...text.matchAll(/\{([a-zA-Z]\w*)\}/g)].map(([, name]) => name!));
  const own = [...names].filter(name => name in PIECES || PUBLISHER_PIECES.includes(name));
  return own.length === 1 ? own[0]! : null;
}

/** Placeholders of pieces whose publisher must be asked which of them a county has. */
const PUBLISHER_PIECES: readonly string[] = ['area', 'huc4', 'region'];

/**
 * The pieces of a file that reach a county.
 * @param asked what publishers said of it, by placeholder.
 * @returns null where that is not known.
 */
export function piecesOf(
  source: PublishedFile,
  of: CountyOfPlace,
  asked: ReadonlyMap<string, readonly string[]>,
): readonly Piece[] | null {
  const name = placeholderOf(source);
  if (name === null) return null;
  const values = asked.get(name) ?? PIECES[name]?.(of);
  return values ? values.map(value => ({ [name]: value })) : null;
}

/** Layers of the catalog whose files come in pieces of one placeholder. */
export const layersInPieces = ({ datasets }: Catalog, placeholder: string) =>
  [...datasets.values()].flatMap(({ id, acquire, layers }) =>
    (acquire.files ?? [])
      .filter(file => placeholderOf(file) === placeholder)
      .flatMap(file => (file.layers ?? Object.keys(layers)).map(layer => ({ dataset: id, layer }))),
  );
