import { plainName } from '../format/name/owner-words.ts';
import type { AreaLayer, Localities } from '../geocode/locality.ts';
import type { Cache } from '../release/cache.ts';
import { PrefixTable } from './prefix-table.ts';
import { GRADE, type Shortlist } from './shortlist.ts';

/** The layers whose areas are places, those that people live in first. */
const PLACES = ['place', 'county', 'state'] as const satisfies readonly AreaLayer[];

/** The names of a layer's areas: behind each stands its state, which may be typed too. */
class AreaNames {
  readonly table: PrefixTable;
  /** The number of the area of each name, and the letters that are the area's own. */
  readonly areas: Uint32Array;
  readonly lengths: Uint8Array;
  readonly bytes: number;

  constructor(names: readonly (readonly [name: string, area: number])[], stateOf: (area: number) => string | null) {
    const plain = names.map(([name, area]) => [plainName(name).slice(0, 255).trimEnd(), area] as const);
    const whole = plain.map(([name, area]) => [name, stateOf(area)].filter(Boolean).join(' '));
    this.table = PrefixTable.of(whole);
    this.areas = Uint32Array.from(plain, ([, area]) => area);
    this.lengths = Uint8Array.from(plain, ([name]) => name.length);
    this.bytes = this.table.bytes + 5 * names.length;
  }
}

/**
 * Adds the towns, counties and states whose names begin with a text.
 * @param near whether those with a typing error are wanted, and only these.
 * @throws Fault or DamagedFile when a file of theirs cannot be read.
 */
export async function addPlaces(
  localities: Localities,
  cache: Cache,
  typed: string,
  near: boolean,
  list: Shortlist,
): Promise<void> {
  const wanted = plainName(typed);
  if (wanted === '') return;
  for (const layer of PLACES)
    for await (const { id, names, stateOf, boxOf, area } of localities.directories(layer)) {
      const key = `place names of ${layer} in ${id}`;
      let found = cache.get(key) as AreaNames | undefined;
      if (!found) {
        found = new AreaNames(names(), stateOf);
        cache.set(key, found, found.bytes);
      }
      const { table, areas, lengths } = found;
      for (const [from, to] of near ? table.near(wanted) : [table.beginning(wanted)])
        for (let entry = from; entry < to; entry++) {
          const name = table.names[entry]!;
          const index = areas[name]!;
          const grade = near ? GRADE.near : lengths[name] === wanted.length ? GRADE.whole : GRADE.beginning;
          const [west, south, east, north] = boxOf(index);
          const read = () => {
            const { name: text, state, lng, lat, source } = area(index);
            const shown = layer === 'state' ? text : [text, state].filter(Boolean).join(', ');
            return { kind: 'place', text: shown, lng, lat, parcelId: null, source } as const;
          };
          list.add({ grade, lng: (west + east) / 2, lat: (south + north) / 2, name: table.rest(entry), read });
        }
    }
}
