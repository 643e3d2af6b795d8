import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import { drawingOf } from '../buildable/near-shapes.ts';
import { planeArea } from '../buildable/plane-area.ts';
import { cite } from '../evaluate/finding.ts';
import { type GeosPolygons, loadGeos } from '../geometry/geos.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { MOST_M2, outlineOf, tooLarge } from '../sets/ground/outline.ts';
import { onGround, type SetGround, TimeUp } from '../sets/ground/set-ground.ts';
import { type Building, buildingsOn } from './buildings.ts';
import { floodShare, floodZones, isUnstudied } from './flood.ts';
import { type Footprint, openFootprint } from './footprint.ts';
import { aboveBaseFlood, baseFlood, lowestGround } from './height.ts';
import {
  type FloodShare,
  MOST_STRUCTURES,
  type Structure,
  type StructuresAnswer,
  type StructuresRequest,
} from './request.ts';
import { citationList } from './standing.ts';

/** The fields whose sources and conditions structures are judged by. */
interface FloodFields {
  readonly sfha: Field;
  readonly zone: Field;
  readonly moderate: Field;
  readonly ground: Field;
  readonly baseFlood: Field;
}

function floodFields({ fields }: Catalog): FloodFields {
  return {
    sfha: fields.get('within_floodplain_polygon')!,
    zone: fields.get('fema_flood_zone')!,
    moderate: fields.get('within_500yr_floodplain')!,
    ground: fields.get('elevation')!,
    baseFlood: fields.get('base_flood_elevation_m')!,
  };
}

/** What a hazard area is to a footprint of which a part was never studied: outside is more than the map says. */
const unlessUnstudied = (share: FloodShare, isOpen: boolean): FloodShare =>
  isOpen && share.verdict === 'outside' ? { ...share, verdict: 'not_decidable' } : share;

/** What is told of one building. @throws Interrupted when nobody waits any more. */
async function structureOf(
  { feature, partition, squareMetres, onGround: share }: Building,
  footprint: Footprint,
  fields: FloodFields,
): Promise<Structure> {
  const { BUILD_ID: id = null, OCC_CLS: occupancy = null } = feature.properties;
  const zones = await floodZones(footprint, fields.zone);
  const isOpen = isUnstudied(zones, fields.zone);
  const sfha = unlessUnstudied(await floodShare(footprint, fields.sfha), isOpen);
  const moderate = unlessUnstudied(await floodShare(footprint, fields.moderate), isOpen);
  const lowest = await lowestGround(footprint, fields.ground);
  const flood = await baseFlood(footprint, fields.baseFlood);
  return {
    ...{ id, occupancy, geometry: feature.geometry, point: footprint.on.ctx.area.point, squareMetres, onGround: share },
    footprint: cite(citationList([partition]), { id: 'fema_usa_structures', url: null }),
    ...{ sfha, zones, moderate, lowest, baseFlood: flood, aboveBaseFlood: aboveBaseFlood(lowest, flood) },
  };
}

/** Tells of one building after the other, until the time is up. @throws Interrupted when nobody waits any more. */
async function structuresOf(
  buildings: readonly Building[],
  geos: GeosPolygons,
  environment: SearchEnvironment,
  set: SetGround,
): Promise<{ readonly structures: readonly Structure[]; readonly late: boolean }> {
  const fields = floodFields(environment.catalog);
  const structures: Structure[] = [];
  try {
    for (const building of buildings) {
      await set.step();
      const footprint = await openFootprint(building.feature.geometry, geos, environment, set.layers);
      structures.push(await structureOf(building, footprint, fields));
    }
    return { structures, late: false };
  } catch (error) {
    if (error instanceof TimeUp) return { structures, late: true };
    throw error;
  }
}

/**
 * The buildings on a parcel or polygons, with what flood map and terrain say of each footprint. Areas are taken in the azimuthal
 * equidistant projection about the middle of the ground, and of each footprint, by GEOS.
 * @throws Interrupted when nobody waits any more; TimeUp before buildings are known; Fault or DamagedFile when the parcel cannot be read.
 */
export function floodOfStructures(
  request: StructuresRequest,
  environment: SearchEnvironment,
): Promise<StructuresAnswer> {
  return onGround<StructuresAnswer>(request, environment, async set => {
    if (!set) return { uncounted: 'no release is installed; nothing was published yet' };
    const outline = await outlineOf(request.ground, set);
    if (!('xy' in outline)) return outline;
    const geos = await loadGeos();
    const drawing = drawingOf(outline, geos);
    const gross = planeArea(drawing.ground);
    if (gross > MOST_M2) return tooLarge(request.ground);
    const { footprints, buildings, partly, rejected } = await buildingsOn(outline, drawing, environment, set.layers);
    const largest = buildings.slice(0, MOST_STRUCTURES);
    const { structures, late } = await structuresOf(largest, geos, environment, set);
    const count = footprints.status === 'ok' ? buildings.length : null;
    return { gross, footprints, count, structures, partly, rejected, late };
  });
}
