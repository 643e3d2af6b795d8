import type { Point } from '../../query/evaluate/answer.ts';
import type { WatchedAnswer, WatchedPlaces } from './answers.ts';

/** A value that differs between two releases. */
export interface Difference {
  /** Of the site or the parcel. */
  readonly id: string;
  readonly change: 'changed' | 'added' | 'removed' | 'entered' | 'left';
  /** Null where no field says why. */
  readonly field: string | null;
  readonly before: WatchedAnswer | null;
  readonly after: WatchedAnswer | null;
  /** Place of the question. */
  readonly point: Point;
}

const textOf = ({ value, status, area }: WatchedAnswer) => JSON.stringify([status, value, area ?? null]);

/** Whether two answers say the same, whatever source and edition say it. */
const isSame = (a: WatchedAnswer | undefined, b: WatchedAnswer | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && textOf(a) === textOf(b));

/** Differences of one place under some names. A place of one release alone has all that this release says. */
function* ofPlace(
  id: string,
  change: Difference['change'],
  [before, after]: readonly [WatchedPlaces, WatchedPlaces],
  names: readonly string[],
): Generator<Difference> {
  const [was, now] = [before.get(id), after.get(id)];
  const point = now?.point ?? was?.point;
  if (!point) return;
  for (const field of names) {
    const [a, b] = [was?.answers[field], now?.answers[field]];
    if (!isSame(a, b)) yield { id, change, field, before: a ?? null, after: b ?? null, point };
  }
}

/** Differences of a site or of the parcels of a list. @param ids in the order in which it is told. */
export const differencesOf = (
  ids: readonly string[],
  before: WatchedPlaces,
  after: WatchedPlaces,
  names: readonly string[],
): Difference[] =>
  ids.flatMap(id => {
    const change = !before.has(id) ? 'added' : !after.has(id) ? 'removed' : 'changed';
    return [...ofPlace(id, change, [before, after], names)];
  });

/** The parcels that pass the filters of a search before and after. */
interface Passing {
  readonly before: { has(id: string): boolean };
  readonly after: { has(id: string): boolean };
}

/**
 * What differs of the parcels of a search: first those that entered and left, with the fields that say why, then the others.
 * @param ids of all that pass in one of both. @param filtered names that its filters compare.
 */
export function searchDifferences(
  ids: readonly string[],
  passing: Passing,
  [before, after]: readonly [WatchedPlaces, WatchedPlaces],
  names: readonly string[],
  filtered: readonly string[],
): Difference[] {
  const all = [...new Set([...filtered, ...names])];
  const moved: Difference[] = [];
  const changed: Difference[] = [];
  for (const id of ids) {
    const [was, is] = [passing.before.has(id), passing.after.has(id)];
    if (was && is) {
      changed.push(...ofPlace(id, 'changed', [before, after], names));
      continue;
    }
    const change = is ? 'entered' : 'left';
    const isInBoth = before.has(id) && after.has(id);
    const found = [...ofPlace(id, change, [before, after], isInBoth ? all : names)];
    const point = (after.get(id) ?? before.get(id))?.point;
    if (found.length > 0) moved.push(...found);
    else if (point) moved.push({ id, change, field: null, before: null, after: null, point });
  }
  return [...moved, ...changed];
}
