import type { Catalog } from '../../datasets/catalog.ts';
import { MOST_ADVISED, nearestNames } from '../../query/format/name/nearest-names.ts';
import { FIPS, type Test } from '../../query/search/request/filter.ts';
import { RELEASE_NAME } from '../release/choice.ts';
import { IssueList } from './issue-list.ts';
import { NameJudge, type SearchableRelease } from './name-judge.ts';

const RETIRED = ['parcel_filters', 'fetch_filters'];
const ORDERS = ['sort', 'sort_by', 'order', 'order_by'];
/** Wishes to a search that other operations grant, with the calls of those. */
const DONE_ELSEWHERE: readonly (readonly [keys: readonly string[], what: string, hint: string])[] = [
  [
    ORDERS,
    'is not done here: pages come in stored order.',
    'POST /v1/rank puts all parcels that pass in order, by `order_by`.',
  ],
  [
    [
      'near',
      'radius',
      'radius_m',
      'radius_km',
      'within_m',
      'within_km',
      'within_miles',
      'distance_m',
      'lat',
      'lng',
      'address',
    ],
    'is no property of the body.',
    'A place and a distance belong in a filter of POST /v1/rank and POST /v1/search/count: {"near": {"lat": …, "lng": …, "within_m": …}}.',
  ],
];
/** Keys of pages elsewhere. */
const PAGES = ['page', 'offset', 'skip', 'start', 'after'];
const NAMED_ELSEWHERE = ['state', 'state2', 'county', 'acreage', 'city', 'apn', 'geometry'];

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether answers name counties by FIPS code, because a filter does. */
export const asksByFips = (tests: readonly Test[]): boolean =>
  tests.some(({ kind, operands }) => kind === 'county' && operands.some(operand => FIPS.test(String(operand))));

/** The name of a release in a body; null where there is none, with an issue where it is no name. */
export function readRelease(issues: IssueList, body: JsonObject): string | null {
  const name = body.release;
  if (!Object.hasOwn(body, 'release')) return null;
  if (typeof name === 'string' && RELEASE_NAME.test(name)) return name;
  issues.say('release', 'Expected the id of a release, or a day.', 'Send a day as 2026-11-20, or leave it out.');
  return null;
}

/** Reads what all bodies about parcels have. Issues never quote a value or a name, except names of the catalog or the interface. */
export class BodyReader {
  readonly issues = new IssueList();
  readonly names: NameJudge;

  /** @param engine says what the open release can be searched by. @param ofSets as of NameJudge. */
  constructor(catalog: Catalog, engine: SearchableRelease, ofSets = false) {
    this.names = new NameJudge(catalog, engine, this.issues, ofSets);
  }

  /** The body as an object that has no other keys; null where it is none. */
  read(body: unknown, keys: readonly string[]): JsonObject | null {
    if (!isObject(body)) {
      this.issues.say(
        'body',
        'The body is not a JSON object.',
        'Send {"filters": [{"field": "state", "op": "eq", …}]}.',
      );
      return null;
    }
    for (const key of Object.keys(body)) {
      if (keys.includes(key)) continue;
      const elsewhere = DONE_ELSEWHERE.find(([names]) => names.includes(key));
      if (PAGES.includes(key) && keys.includes('cursor'))
        this.issues.say(
          key,
          `\`${key}\` is no property of the body.`,
          'Send `next_cursor` of the page before as `cursor`.',
        );
      else if (keys.includes('order_by') && ORDERS.includes(key))
        this.issues.say(
          key,
          `\`${key}\` is no property of the body.`,
          'The order goes into `order_by`: [{"field": …, "direction": "asc"}].',
        );
      else if (elsewhere) this.issues.say(key, `\`${key}\` ${elsewhere[1]}`, elsewhere[2]);
      else if (RETIRED.includes(key))
        this.issues.say(key, `\`${key}\` is retired.`, 'Put every condition into `filters`.');
      else if (NAMED_ELSEWHERE.includes(key))
        this.issues.say(
          key,
          `\`${key}\` is not a property of the body.`,
          'It is a filter field: put it into `filters`.',
        );
      else this.issues.say('body', 'The body has an unknown property.', this.#nearestKey(key, keys));
    }
    return body;
  }

  #nearestKey(key: string, keys: readonly string[]): string {
    const [nearest] = this.issues.all.length < MOST_ADVISED ? nearestNames(key, keys) : [];
    return `${nearest === undefined ? '' : `Nearest: \`${nearest}\`. `}It takes ${keys.join(', ')}.`;
  }

  /** Names of `fields`, each once, in their order. */
  readFields(body: JsonObject): string[] {
    if (!Object.hasOwn(body, 'fields')) return [];
    if (!Array.isArray(body.fields)) {
      this.issues.say('fields', 'Expected a list of names.', 'Leave it out for none.');
      return [];
    }
    const names = new Set<string>();
    for (const [i, name] of body.fields.entries()) {
      const path = `fields[${i}]`;
      if (typeof name !== 'string') this.issues.say(path, 'Expected the name of a field.', 'Names are strings.');
      else if (!names.has(name) && this.names.judge(name, path, 'output')) names.add(name);
    }
    return [...names];
  }

  /** The name of a release; null where there is none. */
  readRelease(body: JsonObject): string | null {
    return readRelease(this.issues, body);
  }

  /** A truth value; false where there is none. */
  readFlag(body: JsonObject, name: string): boolean {
    if (Object.hasOwn(body, name) && typeof body[name] !== 'boolean')
      this.issues.say(name, 'Expected a boolean.', 'Send true or false, or leave it out.');
    return body[name] === true;
  }

  /**
   * Reads how many are asked for at most.
   * @param more what to do for more; what may be sent is said where it is missing.
   * @returns the usual number where there is none, or a wrong one.
   */
  readCount(
    body: JsonObject,
    name: string,
    { usual, most }: { readonly usual: number; readonly most: number },
    more: string | null = null,
  ): number {
    if (!Object.hasOwn(body, name)) return usual;
    const count = body[name];
    const whole = typeof count === 'number' && Number.isInteger(count);
    if (whole && count >= 1 && count <= most) return count;
    const hint = `Send 1 to ${most}, or leave it out for ${usual}.`;
    if (!whole) this.issues.say(name, 'Expected a whole number.', hint);
    else this.issues.say(name, `Expected 1 to ${most}.`, count < 1 ? hint : (more ?? hint));
    return usual;
  }
}
