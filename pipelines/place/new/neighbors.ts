import { areaOf, type PublishedFile } from '../../../datasets/acquire.ts';
import type { Catalog } from '../../../datasets/catalog.ts';
import { countiesOf, countyBox } from '../../../datasets/codes/county-boxes.ts';
import { countyName } from '../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { type Box, boxesMeet } from '../../../datasets/geometry.ts';
import { groundOf } from '../../../ingest/acquire/locate.ts';
import { clipToBox } from '../../../query/geometry/area/clip-to-box.ts';
import { boxAround } from '../../../query/geometry/boxes-about.ts';
import { OUTLINE_ACCURACY_M, outlineOf } from './county-outline.ts';
import { fieldReach, lookOf } from './field-reach.ts';
import type { CountyOfPlace } from './source-layer.ts';

/** Other counties than one of which some ground lies in its box, widened by so many kilometres. */
export type Neighbors = (of: CountyOfPlace, km: number) => readonly CountyOfPlace[];

/**
 * Kilometres as far as which files of neighbors are taken at most: farther they are too many. Within 500 km of a county lie
 * hundreds of others with a file of roads each, and twenty states.
 */
const FARTHEST: Readonly<Record<'state' | 'county', number>> = { state: 100, county: 50 };

/** How far about a county the files of its neighbors are taken. */
export interface AboutCounty {
  readonly km: number;
  /** Whose files are taken beside the county's own, one of each file. */
  readonly neighbors: readonly CountyOfPlace[];
  /** Why not as far as the fields of the layer look; null where they look no farther. */
  readonly beyond: string | null;
}

const stateOf = (county: string) => Object.keys(STATE_FIPS).find(code => county.startsWith(STATE_FIPS[code]!))!;

/** Whether a county has ground in a box, as far as its generalised boundary tells. */
function reaches(county: string, box: Box): boolean {
  const wide = boxAround(box, OUTLINE_ACCURACY_M);
  if (!boxesMeet(countyBox(county)!, wide)) return false;
  const outline = outlineOf(county);
  return outline !== null && clipToBox(outline, wide) !== null;
}

export const neighborsOf: Neighbors = ({ county, state }, km) => {
  const box = groundOf(county, state, km);
  return countiesOf()
    .filter(other => other !== county && reaches(other, box))
    .map(other => ({ state: stateOf(other), county: other, name: countyName(stateOf(other), other.slice(2)) }));
};

/**
 * How far about a county a layer is taken from its neighbors too, because fields count, measure or seek there. Null where no field
 * looks beyond its point, and where one file reaches the neighbors anyway.
 */
export function aboutCounty(
  catalog: Catalog,
  source: PublishedFile,
  [dataset, layer]: readonly [string, string],
  of: CountyOfPlace,
  neighbors: Neighbors,
): AboutCounty | null {
  const area = areaOf(source);
  if ((area !== 'state' && area !== 'county') || source.ground !== undefined) return null;
  if (lookOf(catalog, dataset, layer) === 0) return null;
  const looked = fieldReach(catalog, dataset, layer);
  const km = Math.min(looked, FARTHEST[area]);
  const about = neighbors(of, km);
  const others = about.filter(({ state }) => state !== of.state);
  const states = [...Map.groupBy(others, ({ state }) => state).values()].map(([first]) => first!);
  const beyond = `fields look ${looked} km, but files of neighbors farther than ${km} km are too many; answers that rest on them say so`;
  return { km, neighbors: area === 'state' ? states : about, beyond: looked > km ? beyond : null };
}
