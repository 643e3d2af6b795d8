import { DamagedFile } from '../format/damaged-file.ts';
import { ownerWords } from '../format/name/owner-words.ts';
import { Fault } from '../release/fault.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { type County, countiesOf } from '../search/predicate/counties.ts';
import type { Issue } from '../search/request/issue.ts';
import { compareTexts, numbersOf, TextNumbers } from '../sets/column-values.ts';
import { CountySet } from '../sets/county-set.ts';
import { onGround, type SetGround, type SetRequest, TimeUp } from '../sets/ground/set-ground.ts';
import { MatchList } from '../sets/match-list.ts';
import { openNames } from './name-index.ts';
import { ownerIdentity } from './owner-identity.ts';

/** Decimals of acres, as answers have them. */
const ACRE_DIGITS = 5;

/** Where owners are looked for. */
interface OwnerScope extends SetRequest {
  /** Two letters. */
  readonly state: string;
  /** Five digits; null: the whole state. */
  readonly fips: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** A judged question for owners by name, plain data. */
export interface OwnersRequest extends OwnerScope {
  readonly name: string;
  /** Whether the name is whole, not the beginnings of its words. */
  readonly exact: boolean;
}

/** A judged question for the parcels of one owner, plain data. */
export interface OwnerParcelsRequest extends OwnerScope {
  /** As ownerIdentity makes it. */
  readonly identity: string;
}

/** One owner, however rolls spell the name. */
interface Owner {
  readonly identity: string;
  /** The spelling of most parcels, and all. */
  readonly owner: string;
  readonly spellings: readonly string[];
  readonly parcels: number;
  /** Ground once, however many rows lie on it; null where no parcel has a value. */
  readonly acres: number | null;
  readonly valueUsd: number | null;
}

/** What of the scope was not looked through. */
interface Reach {
  /** Counties whose release has no owners, or that the release lacks. */
  readonly lacking: boolean;
  readonly unread: boolean;
  readonly late: boolean;
}

export type OwnersAnswer =
  | (Reach & { readonly owners: readonly Owner[]; readonly more: boolean })
  | { readonly issues: readonly Issue[] };
export type OwnerParcelsAnswer =
  | (Reach & { readonly matches: string; readonly count: number; readonly more: boolean })
  | { readonly issues: readonly Issue[] };

/** Spellings that are told of one owner. */
const MOST_SPELLINGS = 20;
/** Names between two steps. */
const STEP = 4_096;

/** The owners of a county's names: by number of a name what its owner is one by. */
interface Identities {
  readonly list: readonly string[];
  readonly bytes: number;
}

/** The rows of a county by its owners' names. */
export interface CountyOwners {
  readonly set: CountySet;
  /** By number of a name what its owner is one by. */
  readonly identities: readonly string[];
  readonly rowsOf: (name: number) => Uint32Array;
}

/** The owners of a county; null where its release has none. @throws Fault or DamagedFile when its files cannot be read. */
export async function ownersOf(county: County, ground: SetGround): Promise<CountyOwners | null> {
  const { partition } = county;
  const file = partition.files.find(({ role }) => role === 'names');
  if (!file || partition.unpublished.includes('owner')) return null;
  const { starts, ords, text } = (await openNames(ground.layers, file)).tables.owner;
  if (starts.length < 2) return null;
  const set = await CountySet.open(county, ground);
  const { list } = await set.factOf<Identities>('owner identities', async () => {
    const names = Buffer.from(text)
      .toString('latin1')
      .split('\n')
      .slice(0, starts.length - 1);
    const identities: string[] = [];
    for (const [i, name] of names.entries()) {
      if (i % STEP === STEP - 1) await ground.step();
      identities.push(ownerIdentity(name));
    }
    return { list: identities, bytes: 3 * text.length };
  });
  const { parcels } = set;
  const rowsOf = (name: number) => {
    const rows = ords.subarray(starts[name], starts[name + 1]);
    return parcels.withheldRows ? rows.filter(row => !parcels.isWithheld(row)) : rows;
  };
  return { set, identities: list, rowsOf };
}

/** Goes through the counties of a scope. @throws Interrupted when nobody waits any more; what else `take` throws. */
async function walk(
  { state, fips }: OwnerScope,
  ground: SetGround | null,
  take: (owners: CountyOwners) => Promise<void>,
): Promise<Reach> {
  const all = countiesOf(ground?.layers.release ?? null);
  const counties = all.filter(county => county.state === state && (fips === null || county.fips === fips));
  let [lacking, unread] = [counties.length === 0, false];
  if (!ground) return { lacking, unread, late: false };
  for (const county of counties)
    try {
      ground.check();
      const owners = await ownersOf(county, ground);
      if (owners) await take(owners);
      else lacking = true;
    } catch (error) {
      if (error instanceof TimeUp) return { lacking, unread: true, late: true };
      if (!(error instanceof Fault || error instanceof DamagedFile)) throw error;
      unread = true;
    }
  return { lacking, unread, late: false };
}

/** Whether an identity is one that is looked for: by all of the words typed, of which the last may be a beginning. */
function isMeant(typed: readonly string[], identity: string): boolean {
  const words = identity.split(' ');
  return typed.every((word, i) =>
    i < typed.length - 1 ? words.includes(word) : words.some(one => one.startsWith(word)),
  );
}

/** What is added up of one owner. */
class Holding {
  readonly spellings = new Map<string, number>();
  parcels = 0;
  acres: number | null = null;
  value: number | null = null;

  add(owner: string, acres: number, value: number): void {
    this.parcels++;
    this.spellings.set(owner, (this.spellings.get(owner) ?? 0) + 1);
    if (!Number.isNaN(acres)) this.acres = (this.acres ?? 0) + acres;
    if (!Number.isNaN(value)) this.value = (this.value ?? 0) + value;
  }

  told(identity: string): Owner {
    const ordered = [...this.spellings].sort(([a, one], [b, other]) => other - one || compareTexts(a, b));
    const spellings = ordered.slice(0, MOST_SPELLINGS).map(([text]) => text);
    const { parcels, value: valueUsd } = this;
    // Sums of rounded acres end in digits that nobody measured.
    const acres = this.acres === null ? null : Number(this.acres.toFixed(ACRE_DIGITS));
    return { identity, owner: spellings[0]!, spellings, parcels, acres, valueUsd };
  }
}

/**
 * Owners by a name or its beginnings, those with most parcels first.
 * @throws Interrupted when nobody waits any more.
 */
export const findOwners = (request: OwnersRequest, environment: SearchEnvironment): Promise<OwnersAnswer> =>
  onGround(request, environment, async ground => {
    const { name, exact, offset, limit } = request;
    const holdings = new Map<string, Holding>();
    const typed = ownerWords(name);
    const whole = ownerIdentity(name);
    const reach = await walk(request, ground, async ({ set, identities, rowsOf }) => {
      const meant = [...identities.keys()].filter(i =>
        exact ? identities[i] === whole : typed.length > 0 && isMeant(typed, identities[i]!),
      );
      if (!meant.length) return;
      const column = async (field: string) =>
        numbersOf(await set.columnOrNone({ name: field, kind: 'number' }), new TextNumbers());
      const [acreage, parval, { first, stacked }] = [
        await column('acreage'),
        await column('parval'),
        await set.outlines(),
      ];
      const pick = set.parcels.columnPick(['owner']);
      const ground = new Map<string, Set<number>>();
      for (const i of meant) {
        const rows = rowsOf(i);
        // Nobody has it whose owners may be told.
        if (rows.length === 0) continue;
        const identity = identities[i]!;
        const holding = holdings.get(identity) ?? new Holding();
        holdings.set(identity, holding);
        const seen = ground.get(identity) ?? new Set<number>();
        ground.set(identity, seen);
        for (const row of rows) {
          const isAgain = stacked && seen.has(first[row]!);
          seen.add(first[row]!);
          const owner = String(set.parcels.pick(row, pick).owner ?? '').trim();
          holding.add(owner, isAgain ? Number.NaN : acreage[row]!, parval[row]!);
        }
      }
    });
    const owners = [...holdings]
      .map(([identity, holding]) => holding.told(identity))
      .sort((a, b) => b.parcels - a.parcels || compareTexts(a.identity, b.identity));
    return { ...reach, owners: owners.slice(offset, offset + limit), more: owners.length > offset + limit };
  });

/**
 * The parcels of one owner in stored order, each with its id.
 * @throws Interrupted when nobody waits any more.
 */
export const findOwnerParcels = (
  request: OwnerParcelsRequest,
  environment: SearchEnvironment,
): Promise<OwnerParcelsAnswer> =>
  onGround(request, environment, async ground => {
    const { identity, offset, limit } = request;
    const list = new MatchList(request);
    const ids: string[] = [];
    let count = 0;
    try {
      const reach = await walk(request, ground, async ({ set, identities, rowsOf }) => {
        const rows = [...identities.keys()].flatMap(i => (identities[i] === identity ? [...rowsOf(i)] : []));
        for (const row of rows.sort((a, b) => a - b)) {
          if (count >= offset && count < offset + limit) {
            await list.add(set, row);
            ids.push(set.parcelId(row));
          }
          count++;
        }
      });
      const matches = (JSON.parse(list.text()) as object[]).map((match, i) => ({ ...match, parcel_id: ids[i]! }));
      return { ...reach, matches: JSON.stringify(matches), count, more: count > offset + limit };
    } finally {
      list.release();
    }
  });
