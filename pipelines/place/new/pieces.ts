import type { PublishedFile } from '../../../datasets/acquire.ts';
import type { Catalog } from '../../../datasets/catalog.ts';
import { countiesOf, countyBox } from '../../../datasets/codes/county-boxes.ts';
import type { Box } from '../../../datasets/geometry.ts';
import { boxAround } from '../../../query/geometry/boxes-about.ts';
import { hasGround, outlineOf } from './county-outline.ts';
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

/**
 * Names of the tiles of one degree that a county reaches with so many kilometres about it, by their north-west corner: n45w069. Of
 * open water there are none.
 */
function tilesOf({ county }: CountyOfPlace, km: number): readonly string[] {
  const [west, south, east, north] = boxAround(countyBox(county)!, km * 1000);
  const tiles: string[] = [];
  for (let top = Math.floor(south) + 1; top - 1 < north; top++)
    for (let left = Math.floor(west); left < east; left++) {
      const tile: Box = [left, top - 1, left + 1, top];
      if (outlineOf(county) && !hasGround(county, boxAround(tile, km * 1000))) continue;
      if (outlineOf(county) && !countiesOf().some(one => hasGround(one, tile))) continue;
      const digits = String(Math.abs(left)).padStart(3, '0');
      tiles.push(`n${String(top).padStart(2, '0')}${left < 0 ? 'w' : 'e'}${digits}`);
    }
  return tiles;
}

/** Placeholders of pieces that are told without asking anybody. */
const PIECES: Readonly<Record<string, (of: CountyOfPlace, km: number) => readonly string[]>> = {
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
 * @param asked what publishers said of it, by placeholder. @param km about the county, as far as fields look.
 * @returns null where that is not known.
 */
export function piecesOf(
  source: PublishedFile,
  of: CountyOfPlace,
  asked: ReadonlyMap<string, readonly string[]>,
  km: number,
): readonly Piece[] | null {
  const name = placeholderOf(source);
  if (name === null) return null;
  const values = asked.get(name) ?? PIECES[name]?.(of, km);
  return values ? values.map(value => ({ [name]: value })) : null;
}

/** Layers of the catalog whose files come in pieces of one placeholder. */
export const layersInPieces = ({ datasets }: Catalog, placeholder: string) =>
  [...datasets.values()].flatMap(({ id, acquire, layers }) =>
    (acquire.files ?? [])
      .filter(file => placeholderOf(file) === placeholder)
      .flatMap(file => (file.layers ?? Object.keys(layers)).map(layer => ({ dataset: id, layer }))),
  );
