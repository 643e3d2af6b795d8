import { distance } from '../geometry/geodesic.ts';
import { contains } from '../geometry/point-in-polygon.ts';
import type { Layers } from '../release/layers.ts';
import { holds } from './address/house-number.ts';
import { isSaid } from './address/similarity.ts';
import { streetOf } from './address/street.ts';
import type { Hit } from './hit.ts';
import { readLine } from './index/address-index-builder.ts';

/** A roll's point of the same address this near says nothing else: metres. */
const BESIDE_M = 5;
/** The layer of lots, and what it calls their situs address. */
const LOTS = 'parcel_store';
const SITUS = 'address';

const isLot = ({ dataset }: Hit) => dataset === LOTS;

/** Whether a situs line is the address of a hit; null where the line names none. */
function isOf({ reading, entry }: Hit, line: unknown): boolean | null {
  const read = typeof line === 'string' ? readLine(line) : null;
  if (!read || !reading.number) return null;
  const { number } = reading;
  return isSaid(streetOf(read.street.split(' ')), entry.street) && holds(read.number, number.value);
}

/**
 * Whether a building or an address point stands on the lot of another address, where the roll has a lot of this very address: the
 * file has then moved one or called it by another's name, and the roll's own line says which lot is meant.
 * @param lot of the same address, by the roll.
 * @throws Fault or DamagedFile when the lots cannot be read.
 */
export async function standsOnOtherLot(hit: Hit, lot: Hit, layers: Layers): Promise<boolean> {
  const { lng, lat } = hit.house;
  if (isLot(hit) || !isLot(lot)) return false;
  if (distance(lng, lat, lot.house.lng, lot.house.lat) <= BESIDE_M) return false;
  const features = await layers.features(lot.partition);
  const { file } = features;
  const situs = file.columnPick([SITUS]);
  const said: (boolean | null)[] = [];
  file.search([lng, lat, lng, lat], i => {
    if (contains(features.boundary(i), lng, lat)) said.push(isOf(hit, file.pick(i, situs)[SITUS]));
  });
  return said.includes(false) && !said.includes(true);
}
