import { Interrupted } from '../release/fault.ts';
import { cityCost, cityKey } from './address/city.ts';
import { lacksNumber, type Reading } from './address/reading.ts';
import { COST } from './address/similarity.ts';
import { streetText } from './address/street.ts';
import { numbersNear } from './house.ts';
import type { AddressIndex, IndexedPoint } from './index/address-index.ts';
import type { AddressPartition } from './index/address-partition.ts';
import type { Localised } from './localise.ts';
import type { Surroundings } from './match.ts';

/** Most cities that are named. */
const MOST_CITIES = 5;
/** Partitions whose cities are counted; a release of more is too large for a list to help. */
const MOST_PARTITIONS = 64;

/** Surroundings of which nothing is known. */
export const NOTHING = { street: null, numbers: [], city: null, cities: [], others: 0 } as const;

/** The street that was asked for where it is known and only its number is not; null where it is not known. */
function streetOf(found: readonly Localised[]): Surroundings | null {
  // Less than another city costs: the street of that name elsewhere is another street.
  const there = found
    .filter(({ hit, cost }) => hit.house.unknown?.points().length && cost - hit.cost < COST.cityUnknown)
    .sort((a, b) => a.cost - b.cost);
  const [best] = there;
  if (!best) return null;
  const { hit, city, state } = best;
  const same = there.filter(one => one.hit.line === hit.line && one.city === city && one.state === state);
  const points = same.flatMap(one => one.hit.house.unknown!.points());
  return {
    ...NOTHING,
    street: [hit.line, city, state].filter(Boolean).join(', '),
    numbers: numbersNear(hit.house.unknown!.value, points),
    city,
  };
}

/** The street that was asked for without its suffix (999 Harlow), where one of that name is known; the one with the nearest number. */
async function suffixedOf(
  readings: readonly Reading[],
  partitions: readonly AddressPartition[],
  open: (part: AddressPartition) => Promise<AddressIndex>,
): Promise<Surroundings | null> {
  if (partitions.length > MOST_PARTITIONS) return null;
  for (const { number, street, cross, city } of readings) {
    if (!number || !street || cross || street.suffix !== null || street.highway) continue;
    const streets = new Map<string, { readonly city: string | null; readonly points: IndexedPoint[] }>();
    for (const part of partitions) {
      const index = await open(part);
      for (const id of index.keys.exact(street.key)) {
        const { street: known, city: own } = index.entry(id);
        if (known.pre !== street.pre || known.post !== street.post) continue;
        const isThere =
          own === null ? index.named.cities.has(cityKey(city ?? '')) : cityCost(city ?? own, own) !== null;
        if (city !== null && !isThere) continue;
        const line = [streetText(known), own ?? city, part.state].filter(Boolean).join(', ');
        const points = [...(streets.get(line)?.points ?? []), ...index.pointsOf(id)];
        if (points.length) streets.set(line, { city: own ?? city, points });
      }
    }
    const { value } = number;
    const off = (points: readonly IndexedPoint[]) => Math.min(...points.map(point => Math.abs(point.value - value)));
    const [best] = [...streets].sort(([, a], [, b]) => off(a.points) - off(b.points));
    if (!best) continue;
    const [line, { city: of, points }] = best;
    return { ...NOTHING, street: line, numbers: numbersNear(value, points), city: of };
  }
  return null;
}

/** The cities of the partitions that have most streets, or the one that was named where it is among them. */
async function citiesOf(
  city: string | null,
  partitions: readonly AddressPartition[],
  open: (part: AddressPartition) => Promise<AddressIndex>,
): Promise<Surroundings | null> {
  if (partitions.length > MOST_PARTITIONS) return null;
  const streets = new Map<string, number>();
  for (const part of partitions) {
    const { named } = await open(part);
    if (city !== null && named.cities.has(cityKey(city))) return { ...NOTHING, city };
    for (const [name, count] of named.streets) streets.set(name, (streets.get(name) ?? 0) + count);
  }
  if (streets.size === 0) return null;
  const names = [...streets].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return { ...NOTHING, cities: names.slice(0, MOST_CITIES), others: Math.max(0, names.length - MOST_CITIES) };
}

/**
 * What is known around an address that nothing answers.
 * @param found streets that have its name.
 * @param readings of the address, the likeliest first.
 * @param city that it names, in capitals; null when it names none.
 * @param partitions of the states that it may lie in, all where the release has none of these.
 * @returns null where nothing helps: the release is too large for a list, or a file of it cannot be read in time.
 * @throws Interrupted once nobody waits.
 */
export async function surroundingsOf(
  found: readonly Localised[],
  readings: readonly Reading[],
  city: string | null,
  partitions: readonly AddressPartition[],
  open: (part: AddressPartition) => Promise<AddressIndex>,
): Promise<Surroundings | null> {
  const numberless = readings.find(reading => reading.street !== null && lacksNumber(reading));
  if (numberless && readings.every(({ number }) => number === null)) return { ...NOTHING, unit: numberless.unit! };
  // Less than another city costs, as with the street of a number.
  const apart = found.find(({ hit, cost }) => hit.cross !== null && hit.said && cost - hit.cost < COST.cityUnknown);
  if (apart) return { ...NOTHING, apart: apart.hit.line };
  try {
    return (
      streetOf(found) ?? (await suffixedOf(readings, partitions, open)) ?? (await citiesOf(city, partitions, open))
    );
  } catch (error) {
    // That nothing was found is known without it.
    if (error instanceof Interrupted) throw error;
    return null;
  }
}
