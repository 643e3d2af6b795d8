import type { Catalog } from '../../datasets/catalog.ts';
import { DISAGREEING } from '../../datasets/parcel/disagreement.ts';
import type { Test } from '../../query/search/request/filter.ts';
import type { Issue } from '../../query/search/request/issue.ts';
import type { SetField } from '../../query/sets/column-values.ts';
import { comparisonsOf, isArea, type SetFilter, type ValueOperator } from '../../query/sets/set-filter.ts';
import { asksByFips, BodyReader, isObject, type JsonObject } from '../search/body-reader.ts';
import { FilterReader } from '../search/filter-reader.ts';
import type { SearchableRelease } from '../search/name-judge.ts';

/** Letters of an id, more than any has. */
const MOST_LETTERS = 64;
const EMPTINESS = ['is_null', 'not_null'];
const DISAGREES = 'disagrees';
const TEXTS = ['starts_with', 'contains'];

const isText = (kind: Test['kind']) => kind === 'string' || kind === 'state' || kind === 'county' || kind === 'city';

/** Reads the filters of sets: those of a search, those that ask for a value, and `disagrees`. */
class SetFilterReader extends FilterReader<SetFilter> {
  protected override takesNone(op: unknown): boolean {
    return EMPTINESS.includes(op as string) || op === DISAGREES;
  }

  protected override more(kind: Test['kind']): readonly string[] {
    return isText(kind) ? [...EMPTINESS, ...TEXTS] : EMPTINESS;
  }

  protected override readMore(kind: Test['kind'], filter: JsonObject, path: string): boolean {
    const op = filter.op as ValueOperator;
    const name = String(filter.field);
    const disagrees = op === DISAGREES && Object.hasOwn(DISAGREEING, name);
    if (!disagrees && !this.more(kind).includes(op)) return false;
    if (this.takesNone(op)) {
      if (Object.hasOwn(filter, 'value'))
        this.issues.say(`${path}.value`, 'The operator takes no value.', 'Leave it out.');
      this.list.push({ name, kind, op, text: '' });
    } else if (typeof filter.value === 'string' && filter.value !== '')
      this.list.push({ name, kind, op, text: filter.value.toLowerCase() });
    else this.issues.say(`${path}.value`, 'Expected a text.', 'It is compared without case, and is not empty.');
    return true;
  }
}

/** What all questions about sets have, judged. */
interface SetBody {
  readonly filters: readonly SetFilter[];
  /** Names that filters compare, and further ones: outputs of a match. */
  readonly outputs: readonly string[];
  readonly countyByFips: boolean;
}

/** A body that was read: what it asks, or all that is wrong with it. */
export type SetJudgement<B> =
  | { readonly body: SetBody & B }
  | { readonly body: null; readonly issues: readonly Issue[]; readonly more: boolean };

/** Checks the bodies of questions about sets against one catalog and release. */
export class SetReader extends BodyReader {
  readonly #filters: SetFilterReader;

  /**
   * @param engine says what the open release can be searched by.
   * @param maxVertices of all areas of one request together.
   */
  constructor(catalog: Catalog, engine: SearchableRelease, maxVertices: number) {
    super(catalog, engine, true);
    this.#filters = new SetFilterReader(this.names, this.issues, maxVertices);
  }

  /**
   * @param keys of the body beside `filters`. @param own reads those, and says what is wrong with them.
   * @param showing whether `fields` are further outputs of matches.
   */
  readSet<B extends object>(
    given: unknown,
    keys: readonly string[],
    own: (body: JsonObject) => B,
    showing = true,
  ): SetJudgement<B> {
    const body = this.read(given, ['filters', 'release', ...keys]);
    if (!body) return this.#wrong();
    const filters = this.#filters.read(body.filters);
    const fields = showing ? this.readFields(body) : [];
    this.readRelease(body);
    const read = own(body);
    if (this.issues.all.length > 0 || !filters) return this.#wrong();
    const names = filters.flatMap(filter => (isArea(filter) ? [] : [filter.name]));
    const outputs = [...new Set([...names, ...fields])];
    return { body: { ...read, filters, outputs, countyByFips: asksByFips(comparisonsOf(filters)) } };
  }

  /** Reads the name of a column; null where it is none. @param allowed kinds, and what they are called. */
  readField(
    name: unknown,
    path: string,
    allowed?: { readonly kinds: readonly Test['kind'][]; readonly called: string },
  ): SetField | null {
    if (typeof name !== 'string') {
      this.issues.say(path, 'Expected the name of a field.', 'Names are strings.');
      return null;
    }
    const kind = this.names.judge(name, path, 'filter');
    if (!kind) return null;
    if (kind === 'area' || (allowed && !allowed.kinds.includes(kind))) {
      const called = allowed?.called ?? 'text, numbers, dates or booleans';
      this.issues.say(path, `\`${name}\` holds no ${called}.`, 'GET /v1/meta/fields lists the types.');
      return null;
    }
    // What is shown is the text as it is stored.
    return { name, kind: kind === 'city' || kind === 'county' ? 'string' : kind };
  }

  /** Reads a list of objects, so many at most; those that are none are left out. */
  readObjects(body: JsonObject, name: string, most: number, keys: readonly string[]): readonly (JsonObject | null)[] {
    const list = body[name];
    if (!Array.isArray(list) || list.length === 0 || list.length > most) {
      this.issues.say(name, 'Expected a list.', `Send 1 to ${most} of {${keys.join(', ')}}.`);
      return [];
    }
    return list.map((each: unknown, i) => {
      if (isObject(each) && Object.keys(each).every(key => keys.includes(key))) return each;
      this.issues.say(`${name}[${i}]`, 'Expected an object with these keys alone.', `It takes ${keys.join(', ')}.`);
      return null;
    });
  }

  /** The id of a parcel; null, and an issue, where it is none. */
  readParcelId(body: JsonObject): string | null {
    const { parcel_id: id } = body;
    if (typeof id === 'string' && id !== '' && id.length <= MOST_LETTERS) return id;
    this.issues.say('parcel_id', 'Expected the id of a parcel.', 'Enrichment, lookup and ranks answer `parcel_id`.');
    return null;
  }

  /** A finite number; null, and an issue, where it is none. @param rule what it must keep to. */
  readNumber(value: unknown, path: string, rule: (number: number) => boolean, expected: string): number | null {
    if (typeof value === 'number' && Number.isFinite(value) && rule(value)) return value;
    this.issues.say(path, 'Expected another number.', `Send ${expected}.`);
    return null;
  }

  /** One of some words; null, and an issue, where it is none. */
  readWord<W extends string>(value: unknown, path: string, words: readonly W[]): W | null {
    if (words.includes(value as W)) return value as W;
    this.issues.say(path, 'Expected one of some words.', `It takes ${words.join(', ')}.`);
    return null;
  }

  #wrong<B>(): SetJudgement<B> {
    return { body: null, issues: this.issues.all, more: this.issues.more };
  }
}
