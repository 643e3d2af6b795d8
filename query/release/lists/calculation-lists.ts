import type { CalculationList, Manifest, Overlay } from '../../../datasets/release.ts';
import { textOf } from './line.ts';

/** Calculations by the SHA-256 of the parcels' file that they are of. */
export type Calculations = Readonly<Record<string, Readonly<Record<string, Overlay>>>>;

/** The calculations of some lists; those of a file of parcels are read when they are first asked for. @throws Fault as textOf. */
export function calculationsIn(lists: readonly CalculationList[]): Calculations {
  const calculations = {};
  for (const { parcels } of lists)
    Object.defineProperty(calculations, parcels, { enumerable: true, configurable: true, get: () => read(parcels) });
  const listOf = new Map(lists.map(list => [list.parcels, list]));
  const read = (parcels: string): unknown => {
    const value: unknown = JSON.parse(textOf(listOf.get(parcels)!));
    Object.defineProperty(calculations, parcels, { enumerable: true, value });
    return value;
  };
  return calculations;
}

/**
 * The calculations of each file of parcels in a release.
 * @param unread told of those that cannot be read, which are then left out; by default its Fault is thrown.
 */
export function* eachCalculation(
  { overlays = {} }: Pick<Manifest, 'overlays'>,
  unread = (error: unknown): void => {
    throw error;
  },
): Generator<readonly [parcels: string, own: Readonly<Record<string, Overlay>>]> {
  for (const parcels of Object.keys(overlays)) {
    let own: Readonly<Record<string, Overlay>> = {};
    try {
      own = overlays[parcels]!;
    } catch (error) {
      unread(error);
    }
    yield [parcels, own];
  }
}
