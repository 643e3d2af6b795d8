import type { Catalog } from '../../datasets/catalog.ts';
import { type Filters, filtersOf } from '../../query/search/request/filter.ts';
import type { Issue } from '../../query/search/request/issue.ts';
import { asksByFips, BodyReader, type JsonObject } from './body-reader.ts';
import { FilterReader } from './filter-reader.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from './limit.ts';
import type { SearchableRelease } from './name-judge.ts';

/** A body that passed the checks. */
export interface SearchBody {
  readonly filters: Filters;
  /** Requested fields, each once, in their order. */
  readonly fields: readonly string[];
  /** Output names of a match: those of the filters, then `fields`. */
  readonly outputs: readonly string[];
  readonly countyByFips: boolean;
  readonly enrich: boolean;
  readonly limit: number;
  readonly cursor: string | null;
  /** The release as the body names it; null: the current one. */
  readonly release: string | null;
}

interface Judgement {
  readonly issues: readonly Issue[];
  /** Whether there are more than are listed. */
  readonly more: boolean;
  /** Whether a limit above 100 is the only fault. */
  readonly overLimit: boolean;
  /** Null when anything is wrong. */
  readonly body: SearchBody | null;
}

const KEYS = ['filters', 'fields', 'enrich', 'limit', 'cursor', 'release'];
/** What to do for more matches than a page holds. */
const MORE = 'Take further pages with `cursor`.';
/** Checks bodies against one catalog and release. */
export class SearchReader {
  readonly #body: BodyReader;
  readonly #filters: FilterReader;

  /**
   * @param engine says what the open release can be searched by.
   * @param maxVertices of all areas of one request together.
   */
  constructor(catalog: Catalog, engine: SearchableRelease, maxVertices: number) {
    this.#body = new BodyReader(catalog, engine);
    this.#filters = new FilterReader(this.#body.names, this.#body.issues, maxVertices);
  }

  /** Reads one body. */
  read(given: unknown): Judgement {
    const { issues } = this.#body;
    const body = this.#body.read(given, KEYS);
    if (!body) return { issues: issues.all, more: false, overLimit: false, body: null };
    const inOrder = this.#filters.read(body.filters);
    const fields = this.#body.readFields(body);
    const enrich = this.#body.readFlag(body, 'enrich');
    const cursor = this.#readCursor(body);
    const release = this.#body.readRelease(body);
    const before = issues.all.length;
    const limit = this.#body.readCount(body, 'limit', { usual: DEFAULT_LIMIT, most: MAX_LIMIT }, MORE);
    if (issues.all.length > 0 || !inOrder) {
      const over = typeof body.limit === 'number' && Number.isInteger(body.limit) && body.limit > MAX_LIMIT;
      return { issues: issues.all, more: issues.more, overLimit: over && before === 0, body: null };
    }
    const filters = filtersOf(inOrder);
    const outputs = [...new Set([...filters.tests.map(({ name }) => name), ...fields])];
    const countyByFips = asksByFips(filters.tests);
    const read = { filters, fields, outputs, countyByFips, enrich, limit, cursor, release };
    return { issues: [], more: false, overLimit: false, body: read };
  }

  #readCursor(body: JsonObject): string | null {
    if (!Object.hasOwn(body, 'cursor')) return null;
    if (typeof body.cursor === 'string' && body.cursor !== '') return body.cursor;
    this.#body.issues.say('cursor', 'Expected the text of a `next_cursor`.', 'Leave it out for the first page.');
    return null;
  }
}
