/** A place, degrees. */
interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** Operators that the explorer's page of a search has words for. */
const SHOWN: readonly unknown[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'between'];
/** Characters of an address: chats and mail cut longer ones. */
const MOST_ADDRESS = 2_000;
/** Matches of the first page that the explorer shows. */
const PAGE = '25';

/** What is shown stands behind `#`, so that it reaches no server's log. Commas may stand as they are, and are easier to read so. */
const addressOf = (origin: string, path: string, state: Readonly<Record<string, string>>): string =>
  `${origin}${path}#${new URLSearchParams(state).toString().replaceAll('%2C', ',')}`;

/** The address of the explorer's view of a place. @param path `/`, or `/parcel` for the parcel there. */
export const placeAddress = (origin: string, path: '/' | '/parcel', { lat, lng }: Place): string =>
  addressOf(origin, path, { at: `${lat.toFixed(5)},${lng.toFixed(5)}` });

/**
 * The address of the explorer's page of all matches of a search; null where that page has no form for its filters: several states, or
 * more than one area.
 * @param filters of a search that was answered.
 */
export function searchAddress(origin: string, filters: unknown): string | null {
  if (!Array.isArray(filters)) return null;
  const all = filters as readonly { readonly field: string; readonly op: string; readonly value: unknown }[];
  const isState = ({ field }: { readonly field: string }) => field === 'state' || field === 'state2';
  const states = all.filter(isState);
  const areas = all.filter(({ field }) => field === 'geometry');
  const rest = all.filter(filter => !isState(filter) && filter.field !== 'geometry');
  const [state] = states;
  const codes = [state?.value].flat();
  if (states.length !== 1 || codes.length !== 1 || !['eq', 'in'].includes(state!.op)) return null;
  if (areas.length > 1 || rest.some(({ op }) => !SHOWN.includes(op))) return null;
  const [area] = areas;
  const address = addressOf(origin, '/search', {
    st: String(codes[0]),
    ...(rest.length > 0 ? { f: JSON.stringify(rest) } : {}),
    ...(area ? { area: JSON.stringify(area.value), how: area.op } : {}),
    n: PAGE,
  });
  return address.length > MOST_ADDRESS ? null : address;
}
