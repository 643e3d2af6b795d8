import { areaOf, type PublishedFile } from '../../../datasets/acquire.ts';
import type { Catalog } from '../../../datasets/catalog.ts';
import { countiesOf } from '../../../datasets/codes/county-boxes.ts';
import { countyName } from '../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { groundOf } from '../../../ingest/acquire/locate.ts';
import { boxAround } from '../../../query/geometry/boxes-about.ts';
import { hasGround, OUTLINE_ACCURACY_M } from './county-outline.ts';
import { fieldReach, lookOf } from './field-reach.ts';
import type { CountyOfPlace } from './source-layer.ts';

/** Other counties than one of which some ground lies in its box, widened by so many kilometres. */
export type Neighbors = (of: CountyOfPlace, km: number) => readonly CountyOfPlace[];

/**
 * Kilometres as far as which files of neighbors are taken at most: farther they are too many. Within 500 km of a county lie
 * hundreds of others with a file of roads each, and twenty states.
 */
const FARTHEST: Readonly<Record<'state' | 'county', number>> = { state: 100, county: 50 };

/** The ground about a county as far as which a layer takes files of neighbors. */
export interface AboutCounty {
  readonly km: number;
  /** Counties with files beside the county's own, one of each file. */
  readonly neighbors: readonly CountyOfPlace[];
  /** Why not as far as the fields of the layer look; null where they look no farther. */
  readonly beyond: string | null;
}

const stateOf = (county: string) => Object.keys(STATE_FIPS).find(code => county.startsWith(STATE_FIPS[code]!))!;

export const neighborsOf: Neighbors = ({ county, state }, km) => {
  // Boundaries are generalized.
  const box = boxAround(groundOf(county, state, km), OUTLINE_ACCURACY_M);
  return countiesOf()
    .filter(other => other !== county && hasGround(other, box))
    .map(other => ({ state: stateOf(other), county: other, name: countyName(stateOf(other), other.slice(2)) }));
};

/**
 * The ground about a county where a layer takes files of neighbors, because fields count, measure or seek there. Null where no field
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
