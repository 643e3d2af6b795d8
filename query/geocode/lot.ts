import type { Box } from '../../datasets/geometry.ts';
import { distance } from '../geometry/geodesic.ts';
import { contains } from '../geometry/point-in-polygon.ts';
import type { Layers } from '../release/layers.ts';
import { holds } from './address/house-number.ts';
import { isSaid } from './address/similarity.ts';
import { streetOf } from './address/street.ts';
import type { Hit } from './hit.ts';
import { readLine } from './index/address-index-builder.ts';

/** A roll's point of the same address this near says nothing else, and one a little further only where no lot's box tells them apart: metres. */
const BESIDE_M = 5;
const NEAR_M = 10;
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
  const metres = distance(lng, lat, lot.house.lng, lot.house.lat);
  if (metres <= BESIDE_M) return false;
  const features = await layers.features(lot.partition);
  const { file } = features;
  const around: number[] = [];
  file.search([lng, lat, lng, lat], i => around.push(i));
  const holdsBoth = (i: number) => inBox(file.box(i), lot.house.lng, lot.house.lat);
  if (metres <= NEAR_M && around.every(holdsBoth)) return false;
  const situs = file.columnPick([SITUS]);
  const lines = around.map(i => file.pick(i, situs)[SITUS]);
  const isOn = (i: number) => contains(features.boundary(i), lng, lat);
  // Most stand on their own lot, whose line is written as the address: no other line has to be read.
  if (around.some((i, at) => lines[at] === hit.line && isOn(i))) return false;
  const said = around.flatMap((i, at) => (isOn(i) ? [isOf(hit, lines[at])] : []));
  return said.includes(false) && !said.includes(true);
}

const inBox = ([west, south, east, north]: Box, lng: number, lat: number): boolean =>
  lng >= west && lng <= east && lat >= south && lat <= north;
