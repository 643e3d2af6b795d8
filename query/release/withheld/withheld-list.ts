import { join } from 'node:path';
import { ownerWords, plainName, writtenOtherwise } from '../../format/name/owner-words.ts';
import { HomeList } from '../home/home-list.ts';

/** A line of the list: a parcel by its public id, or a name, in all states or one; and for people when and why. */
export interface WithheldEntry {
  readonly parcel_id?: string;
  readonly name?: string;
  readonly state?: string;
  readonly note?: string;
  /** UTC with milliseconds and Z. */
  readonly added_at: string;
}

/** A name whose parcels are withheld. */
interface WithheldName {
  /** As ownerWords makes them. */
  readonly words: readonly string[];
  /** Two letters; null: everywhere. */
  readonly state: string | null;
}

/** What an operator withholds. */
export interface WithheldList {
  /** What it is known by; empty where nothing is withheld. */
  readonly stamp: string;
  readonly parcels: ReadonlySet<string>;
  /** By a word that stands in every way of writing a name; under the empty text those that have no such word. */
  readonly names: ReadonlyMap<string, readonly WithheldName[]>;
  /** Whether every owner is withheld, because the list cannot be read. */
  readonly all: boolean;
  /** When all threads heeded the youngest entry: epoch milliseconds; of a list that cannot be read Infinity. */
  readonly since: number;
}

/** Milliseconds after which every thread has looked at the list. */
const HEEDED_MS = 2_000;

const NOTHING: WithheldList = {
  stamp: '',
  parcels: new Set(),
  names: new Map(),
  all: false,
  since: Number.NEGATIVE_INFINITY,
};

/** Where the list of an installation stands: beside its releases, which come and go without it. */
export const withheldPath = (home: string): string => join(home, 'withheld.ndjson');

/** `pcl_` and 22 letters of Base64. */
const PARCEL_ID = /^pcl_[\w-]{22}$/;
const STATE = /^[A-Z]{2}$/;

/** What is wrong with an entry; null when nothing is. */
export function entryProblem({ parcel_id: id, name, state, added_at: at }: Partial<WithheldEntry>): string | null {
  if ((id === undefined) === (name === undefined)) return 'it names neither a parcel nor a name, or both';
  if (id !== undefined && !PARCEL_ID.test(id)) return 'its parcel_id is none: expected pcl_ and 22 letters';
  if (name !== undefined && (typeof name !== 'string' || ownerWords(name).length < 2))
    return 'its name has fewer than two words, and would withhold everybody who has it';
  if (state !== undefined && !STATE.test(state)) return 'its state is none: expected two capital letters';
  return Number.isNaN(Date.parse(String(at))) ? 'it does not say when it was added' : null;
}

/** Reads the entries of a list. @throws Error that names the line that cannot be read. */
export function parseWithheld(text: string): WithheldEntry[] {
  return text
    .split('\n')
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      let entry: WithheldEntry | null = null;
      try {
        entry = JSON.parse(line) as WithheldEntry;
      } catch {}
      const problem = typeof entry === 'object' && entry !== null ? entryProblem(entry) : 'it is no JSON object';
      if (problem) throw new Error(`line ${number} of the list of what is withheld cannot be used: ${problem}`);
      return entry!;
    });
}

/** The word of a name that is written in one way only, the longest; empty where it has none. */
function markOf(name: string, words: readonly string[]): string {
  const written = new Set(plainName(name).split(' '));
  const sure = words.filter(word => written.has(word) && !writtenOtherwise(word));
  return sure.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function listOf(entries: readonly WithheldEntry[], stamp: string): WithheldList {
  if (entries.length === 0) return NOTHING;
  const names = new Map<string, WithheldName[]>();
  for (const { name, state = null } of entries) {
    if (name === undefined) continue;
    const words = ownerWords(name);
    const mark = markOf(name, words);
    names.set(mark, [...(names.get(mark) ?? []), { words, state }]);
  }
  const parcels = new Set(entries.flatMap(({ parcel_id: id }) => (id === undefined ? [] : [id])));
  const since = Math.max(...entries.map(({ added_at: at }) => Date.parse(at))) + HEEDED_MS;
  return { stamp, parcels, names, all: false, since };
}

const lists = new HomeList<WithheldList>({
  path: withheldPath,
  read: (text, mark) => listOf(parseWithheld(text), `withheld ${mark}`),
  absent: NOTHING,
  unreadable: mark => ({ ...NOTHING, stamp: `withheld ${mark}`, all: true, since: Number.POSITIVE_INFINITY }),
});

/**
 * What the operator of an installation withholds now. Where the list is there and cannot be read, every owner is: what somebody
 * asked to be withheld must not be told because of a slip of a pen.
 */
export const withheldList = (home: string): WithheldList => lists.of(home);
