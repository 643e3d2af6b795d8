import { shownOwner } from '../enrich/owner-key.ts';
import { Fault } from '../release/fault.ts';
import { numbersOf, TextNumbers } from '../sets/column-values.ts';
import type { CountySet } from '../sets/county-set.ts';
import type { SetGround } from '../sets/ground/set-ground.ts';
import { MOST_VALUES, SetTooLarge } from '../sets/set-size.ts';
import { ownersOf } from '../suggest/owners.ts';
import type { Land } from './land.ts';
import { OVERLAPS, openNeighbours } from './neighbour-file.ts';
import { type AssemblageRequest, MOST_PARCELS } from './request.ts';

/** Parts of an acre that sizes are counted in. */
export const PARTS = 1e5;

/** Of a row whose owner is not known. */
const NOBODY = -1;

/** The land of a county that may be put together. */
export interface CountyLand {
  readonly land: Land;
  /** By piece its rows, ascending. */
  readonly rows: readonly (readonly number[])[];
  /** By row its piece; -1 where it is in none. */
  readonly pieceOf: Int32Array;
  /** Parcels that were left out because their owner is not known. */
  readonly ownerless: number;
}

/** By row the number of its owner, NOBODY where none is known. */
async function ownerNumbers(set: CountySet, ground: SetGround): Promise<Int32Array> {
  const numbers = new Int32Array(set.count).fill(NOBODY);
  const owners = await ownersOf(set.county, ground);
  const byIdentity = new Map<string, number>();
  for (const [name, identity] of owners?.identities.entries() ?? []) {
    const number = byIdentity.get(identity) ?? byIdentity.size;
    byIdentity.set(identity, number);
    for (const row of owners!.rowsOf(name)) numbers[row] = number;
  }
  return numbers;
}

/** The rows of each outline of which all may be used, by the first of them. @param fixed may be used in any case. */
async function wholeOutlines(set: CountySet, passing: Uint32Array, fixed: number | null): Promise<number[][]> {
  const { first } = await set.outlines();
  const may = new Uint8Array(set.count);
  for (const row of passing) may[row] = 1;
  const own = fixed === null ? -1 : first[fixed]!;
  const left = new Uint8Array(set.count);
  for (let row = 0; row < set.count; row++) if (may[row] === 0 && first[row] !== own) left[first[row]!] = 1;
  const byFirst = new Map<number, number[]>();
  for (let row = 0; row < set.count; row++) {
    if (left[first[row]!] === 1) continue;
    const rows = byFirst.get(first[row]!);
    if (rows) rows.push(row);
    else byFirst.set(first[row]!, [row]);
  }
  return [...byFirst.values()];
}

/** The neighbours of pieces across gaps of so many metres, and the pieces that overlap. @throws Fault or DamagedFile when their file cannot be read. */
async function besideOf(
  { county, count }: CountySet,
  rows: readonly (readonly number[])[],
  pieceOf: Int32Array,
  roadM: number,
  ground: SetGround,
): Promise<Pick<Land, 'starts' | 'beside' | 'clashes'> | null> {
  const file = county.partition.files.find(({ role }) => role === 'neighbours');
  if (!file) return null;
  const { starts: from, rows: others, widths } = await openNeighbours(ground.layers, file);
  if (from.length - 1 !== count) throw new Fault('the neighbors of the parcels are those of other parcels');
  const starts = new Uint32Array(rows.length + 1);
  const beside: number[] = [];
  const clashes = new Map<number, Set<number>>();
  for (const [piece, [row]] of rows.entries()) {
    for (let i = from[row!]!; i < from[row! + 1]!; i++) {
      const other = pieceOf[others[i]!]!;
      if (other < 0) continue;
      if (widths[i] === OVERLAPS) {
        const own = clashes.get(piece) ?? new Set();
        clashes.set(piece, own.add(other));
      } else if (widths[i]! <= roadM * 100) beside.push(other);
    }
    starts[piece + 1] = beside.length;
  }
  return { starts, beside: Uint32Array.from(beside), clashes };
}

/**
 * The pieces of land of a county that a request may put together: outlines of which all parcels pass.
 * @param passing rows, ascending. @param fixed the row that must be in every group, whether it passes or not.
 * @returns null where nobody found out which parcels are neighbours.
 * @throws Fault or DamagedFile when a file cannot be read; SetTooLarge.
 */
export async function landOf(
  set: CountySet,
  passing: Uint32Array,
  fixed: number | null,
  { ownersMax, roadM }: AssemblageRequest,
  ground: SetGround,
): Promise<CountyLand | null> {
  if (passing.length * MOST_PARCELS > MOST_VALUES) throw new SetTooLarge();
  const acres = numbersOf(await set.columnOrNone({ name: 'acreage', kind: 'number' }), new TextNumbers());
  const numbers = ownersMax === null ? null : await ownerNumbers(set, ground);
  const whole = await wholeOutlines(set, passing, fixed);
  const rows = whole.filter(each => !numbers || each.every(row => numbers[row] !== NOBODY));
  const ownerless =
    whole.reduce((sum, each) => sum + each.length, 0) - rows.reduce((sum, each) => sum + each.length, 0);
  const pieceOf = new Int32Array(set.count).fill(-1);
  for (const [piece, each] of rows.entries()) for (const row of each) pieceOf[row] = piece;
  const neighbours = await besideOf(set, rows, pieceOf, roadM, ground);
  if (!neighbours) return null;
  // The rows of one outline are one piece of ground.
  const sizes = Float64Array.from(rows, ([row]) => Math.round((acres[row!] || 0) * PARTS));
  const parcels = Uint8Array.from(rows, each => Math.min(255, each.length));
  const owners = numbers && rows.map(each => [...new Set(each.map(row => numbers[row]!))]);
  return { land: { sizes, parcels, owners, ...neighbours }, rows, pieceOf, ownerless };
}

/** The owners of some rows as the roll writes them, each spelling once. */
export function ownerNames({ parcels }: CountySet, rows: readonly number[]): string[] {
  const pick = parcels.columnPick(['owner']);
  const names = rows.flatMap(row => shownOwner(parcels.pick(row, pick).owner) ?? []);
  return [...new Set(names)].sort();
}
