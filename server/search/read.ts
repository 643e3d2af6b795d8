import type { Catalog } from '../../datasets/catalog.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { MOST_ADVISED, nearestNames } from '../../query/format/nearest-names.ts';
import { durationOf, type OverlayProgress } from '../../query/release/overlay-progress.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import {
  areaTest,
  type Comparison,
  FIPS,
  type Filter,
  type Filters,
  filtersOf,
  type Operand,
  type Test,
} from '../../query/search/request/filter.ts';
import type { Issue } from '../../query/search/request/issue.ts';
import { judgeName } from '../../query/search/request/name.ts';
import { filterNames, outputNames } from '../../query/search/request/surface.ts';
import { endpointsOf, nearestFields } from '../errors/name-advice.ts';
import { MAX_ISSUES, MAX_NAMES } from '../http/shape.ts';
import { COUNT, type Kind, PAGE } from './kind.ts';
import { OPERATORS, readOperand } from './operand.ts';

/** A body that passed the checks. */
export interface SearchBody {
  readonly filters: Filters;
  /** The same, in the order of the request. */
  readonly inOrder: readonly Filter[];
  /** Requested fields, each once, in their order. */
  readonly fields: readonly string[];
  /** Output names of a match: those of the filters, then `fields`. */
  readonly outputs: readonly string[];
  readonly countyByFips: boolean;
  readonly enrich: boolean;
  readonly limit: number;
  readonly cursor: string | null;
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

const RETIRED = ['parcel_filters', 'fetch_filters'];
const NAMED_ELSEWHERE = ['state', 'state2', 'county', 'acreage', 'city', 'apn', 'geometry'];
const FILTER_KEYS = ['field', 'op', 'value'];
const SEARCH_OPERATORS: readonly unknown[] = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'between',
  'intersects',
  'within',
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of an engine that says by which names parcels can be searched, why not by others, and how far new ones are computed. */
type SearchableRelease = Pick<Engine, 'parcelColumns' | 'availability' | 'overlayProgress'>;

/** Checks bodies against one catalog and release. */
export class SearchReader {
  readonly #catalog: Catalog;
  readonly #columns: ReadonlySet<string>;
  readonly #engine: SearchableRelease;
  readonly #maxVertices: number;
  readonly #issues: Issue[] = [];
  /** Issues of names, which are all listed. */
  #named = 0;
  #more = false;
  /** The nearest names of the first wrong ones. */
  readonly #advice = new Map<string, string>();
  #vertices = 0;
  readonly #inOrder: Filter[] = [];
  /** Read at most once for a body, when it is needed. */
  #progress: { readonly now: OverlayProgress | null } | null = null;

  /**
   * @param engine says what the open release can be searched by.
   * @param maxVertices of all areas of one request together.
   */
  constructor(catalog: Catalog, engine: SearchableRelease, maxVertices: number) {
    this.#catalog = catalog;
    this.#columns = engine.parcelColumns();
    this.#engine = engine;
    this.#maxVertices = maxVertices;
  }

  /** Reads the body of a count, whose bound is its limit. */
  readCount(body: unknown): Judgement {
    return this.read(body, COUNT);
  }

  /** Reads one body. Issues never quote a value or a name from it, except names of the catalog or the interface. */
  read(body: unknown, kind: Kind = PAGE): Judgement {
    if (!isObject(body)) {
      this.#say('body', 'The body is not a JSON object.', 'Send {"filters": [{"field": "state", "op": "eq", …}]}.');
      return { issues: this.#issues, more: false, overLimit: false, body: null };
    }
    this.#readKeys(body, kind);
    const filters = this.#readFilters(body.filters);
    const fields = this.#readFields(body);
    const enrich = this.#readEnrich(body);
    const cursor = this.#readCursor(body);
    const before = this.#issues.length;
    const { limit, over } = this.#readLimit(body, kind);
    if (this.#issues.length > 0 || !filters)
      return { issues: this.#issues, more: this.#more, overLimit: over && before === 0, body: null };
    const used = filters.tests.map(test => test.name);
    return {
      issues: [],
      more: false,
      overLimit: false,
      body: {
        filters,
        inOrder: this.#inOrder,
        fields,
        outputs: [...new Set([...used, ...fields])],
        countyByFips: filters.tests.some(t => t.kind === 'county' && t.operands.some(o => FIPS.test(String(o)))),
        enrich,
        limit,
        cursor,
      },
    };
  }

  #say(path: string, description: string, hint: string): void {
    if (this.#issues.length - this.#named === MAX_ISSUES) this.#more = true;
    else this.#issues.push({ path, description, hint });
  }

  /** Reports a name that cannot be used. */
  #sayName(path: string, description: string, hint: string): void {
    if (this.#named === MAX_NAMES) {
      this.#more = true;
      return;
    }
    this.#named++;
    this.#issues.push({ path, description, hint });
  }

  /** The names most like one that cannot be used, as the beginning of a hint; it says which the release lacks, or has not calculated. */
  #nearest(name: string, role: 'filter' | 'output'): string {
    const key = `${role} ${name}`;
    const text = this.#advice.get(key);
    if (text !== undefined || this.#advice.size === MOST_ADVISED) return text ?? '';
    const names = role === 'filter' ? filterNames(this.#catalog) : outputNames(this.#catalog);
    const nearest = nearestFields(this.#catalog, name, names).map(one => {
      const isBuilt = judgeName(this.#catalog, this.#columns, one, role).status !== 'not_built';
      const lacks = this.#engine.availability().lackOf(one) !== null;
      return `\`${one}\`${lacks ? ' (not in this release)' : isBuilt ? '' : ' (not calculated yet)'}`;
    });
    const advice = nearest.length > 0 ? `Nearest: ${nearest.join(', ')}. ` : '';
    this.#advice.set(key, advice);
    return advice;
  }

  #nearestKey(key: string, keys: readonly string[]): string {
    const [nearest] = this.#issues.length < MOST_ADVISED ? nearestNames(key, keys) : [];
    return `${nearest === undefined ? '' : `Nearest: \`${nearest}\`. `}It takes ${keys.join(', ')}.`;
  }

  #readKeys(body: Record<string, unknown>, { keys }: Kind): void {
    for (const key of Object.keys(body)) {
      if (keys.includes(key)) continue;
      if (RETIRED.includes(key)) this.#say(key, `\`${key}\` is retired.`, 'Put every condition into `filters`.');
      else if (NAMED_ELSEWHERE.includes(key))
        this.#say(key, `\`${key}\` is not a property of the body.`, 'It is a filter field: put it into `filters`.');
      else this.#say('body', 'The body has an unknown property.', this.#nearestKey(key, keys));
    }
  }

  #readLimit(
    body: Record<string, unknown>,
    { limit: name, most, usual, more }: Kind,
  ): { readonly limit: number; readonly over: boolean } {
    if (!Object.hasOwn(body, name)) return { limit: usual, over: false };
    const limit = body[name];
    const whole = typeof limit === 'number' && Number.isInteger(limit);
    if (whole && limit >= 1 && limit <= most) return { limit, over: false };
    const hint = `Send 1 to ${most}, or leave it out for ${usual}.`;
    if (!whole) this.#say(name, 'Expected a whole number.', hint);
    else this.#say(name, `Expected 1 to ${most}.`, limit < 1 ? hint : (more ?? hint));
    return { limit: usual, over: whole && limit > most };
  }

  #readEnrich(body: Record<string, unknown>): boolean {
    if (!Object.hasOwn(body, 'enrich')) return false;
    if (typeof body.enrich !== 'boolean')
      this.#say('enrich', 'Expected a boolean.', 'Send true or false, or leave it out.');
    return body.enrich === true;
  }

  #readCursor(body: Record<string, unknown>): string | null {
    if (!Object.hasOwn(body, 'cursor')) return null;
    if (typeof body.cursor === 'string' && body.cursor !== '') return body.cursor;
    this.#say('cursor', 'Expected the text of a `next_cursor`.', 'Leave it out for the first page.');
    return null;
  }

  #readFields(body: Record<string, unknown>): string[] {
    if (!Object.hasOwn(body, 'fields')) return [];
    if (!Array.isArray(body.fields)) {
      this.#say('fields', 'Expected a list of names.', 'Leave it out for none.');
      return [];
    }
    const names = new Set<string>();
    for (const [i, name] of body.fields.entries()) {
      const path = `fields[${i}]`;
      if (typeof name !== 'string') this.#say(path, 'Expected the name of a field.', 'Names are strings.');
      else if (!names.has(name) && this.#judge(name, path, 'output')) names.add(name);
    }
    return [...names];
  }

  /** Returns the kind of a name that can be used. Otherwise reports an issue and returns null. */
  #judge(name: string, path: string, role: 'filter' | 'output') {
    const verdict = judgeName(this.#catalog, this.#columns, name, role);
    switch (verdict.status) {
      case 'usable':
        return verdict.kind;
      case 'not_built':
        this.#sayNotBuilt(name, path);
        return null;
      case 'enrich_only':
        this.#sayName(
          path,
          `\`${name}\` is calculated by enrichment alone: it is neither a filter nor a field of a search.`,
          `${this.#nearest(name, role)}Send \`enrich\`: true, or ask POST /v1/enrich for it.`,
        );
        return null;
      case 'output_only':
        this.#sayName(path, `\`${name}\` is an output, no filter.`, 'Ask for it in `fields`; filter by `geometry`.');
        return null;
      case 'unknown': {
        // Only a name of the catalog is repeated.
        const endpoints = endpointsOf(this.#catalog, name);
        const description =
          endpoints.length > 0
            ? `\`${name}\` is a name of ${endpoints.join(' and ')} alone.`
            : 'The name is not in the search catalog.';
        this.#sayName(path, description, `${this.#nearest(name, role)}GET /v1/meta/fields lists every name.`);
        return null;
      }
    }
  }

  /** Reports that a field cannot be computed in this release and why, or is not yet, and how long that will take as far as the running calculations show. */
  #sayNotBuilt(name: string, path: string): void {
    this.#progress ??= { now: this.#engine.overlayProgress() };
    const progress = this.#progress.now;
    if (!progress?.fields.includes(name)) {
      const why = this.#engine.availability().lackOf(name) ?? 'it is not calculated yet';
      const hint = 'GET /v1/meta/fields lists the catalog; a later release may hold it.';
      this.#sayName(path, `\`${name}\` has no column for parcels in this release: ${why}.`, hint);
      return;
    }
    const { done, total, perSecond } = progress;
    const hint =
      done >= total
        ? 'Ask again shortly: the values are being written and published.'
        : perSecond > 0
          ? `Ask again in about ${durationOf((total - done) / perSecond)}, at the pace so far; writing and publishing the values comes on top.`
          : 'Ask again later: how long it takes cannot be told before the first parcels are done.';
    this.#sayName(path, `\`${name}\` is being calculated: ${done} of ${total} parcels are done.`, hint);
  }

  #readFilters(value: unknown): Filters | null {
    if (!Array.isArray(value)) {
      this.#say('filters', 'Expected a list of filters.', 'At least {"field": "state", "op": "eq", "value": "ME"}.');
      return null;
    }
    for (const [i, filter] of value.entries()) this.#readFilter(filter, `filters[${i}]`);
    if (
      !value.some(f => isObject(f) && (f.field === 'state' || f.field === 'state2') && (f.op === 'eq' || f.op === 'in'))
    )
      this.#say(
        'filters',
        'No state is selected.',
        'Add a filter on `state` or `state2` with `eq` and a two-letter code, or `in` and a nonempty list of them.',
      );
    return filtersOf(this.#inOrder);
  }

  #readFilter(filter: unknown, path: string): void {
    if (!isObject(filter)) return void this.#say(path, 'The filter is not an object.', 'Send {field, op, value}.');
    if (Object.keys(filter).some(key => !FILTER_KEYS.includes(key)))
      this.#say(path, 'The filter has an unknown property.', 'A filter is {field, op, value} and nothing else.');
    const missing = FILTER_KEYS.filter(key => !Object.hasOwn(filter, key));
    if (missing.length)
      return void this.#say(path, `The filter lacks ${missing.join(', ')}.`, 'Send {field, op, value}.');
    const { field, op, value } = filter;
    if (typeof field !== 'string')
      return void this.#say(`${path}.field`, 'Expected the name of a field.', 'Names are strings.');
    const kind = this.#judge(field, `${path}.field`, 'filter');
    if (!kind) return;
    if (kind === 'area') return void this.#readAreaFilter(op, value, path);
    const allowed = OPERATORS[kind];
    if (!allowed.includes(op as Comparison)) {
      const problem = SEARCH_OPERATORS.includes(op) ? `\`${field}\` does not take \`${op}\`.` : 'Unknown operator.';
      return void this.#say(`${path}.op`, problem, `It takes ${allowed.join(', ')}.`);
    }
    const operands = this.#readOperands(kind, op as Comparison, value, `${path}.value`);
    if (operands) this.#inOrder.push({ name: field, kind, op: op as Comparison, operands });
  }

  #readOperands(kind: Test['kind'], op: Comparison, value: unknown, path: string): Operand[] | null {
    const several = op === 'in' || op === 'between';
    if (several && (!Array.isArray(value) || (op === 'in' ? value.length === 0 : value.length !== 2))) {
      if (op === 'in') this.#say(path, 'Expected a nonempty list.', 'For one value use `eq`.');
      else this.#say(path, 'Expected a list of exactly two bounds.', 'Both bounds are included; the lower one first.');
      return null;
    }
    const operands: Operand[] = [];
    for (const [i, each] of (several ? (value as unknown[]) : [value]).entries()) {
      const operand = readOperand(kind, each);
      if (typeof operand === 'object') {
        this.#say(several ? `${path}[${i}]` : path, operand.description, operand.hint);
        return null;
      }
      operands.push(operand);
    }
    if (op === 'between' && operands[0]! > operands[1]!) {
      this.#say(path, 'The bounds are not ascending.', 'Write the lower bound first.');
      return null;
    }
    return op === 'in' ? [...new Set(operands)] : operands;
  }

  #readAreaFilter(op: unknown, value: unknown, path: string): void {
    if (op !== 'intersects' && op !== 'within')
      return void this.#say(`${path}.op`, '`geometry` does not take this operator.', 'It takes intersects and within.');
    const area = readArea(value, `${path}.value`, this.#maxVertices - this.#vertices);
    if ('description' in area) this.#say(area.path, area.description, area.hint);
    else {
      this.#vertices += area.xy.length / 2;
      this.#inOrder.push(areaTest(op, area, `${path}.value`));
    }
  }
}
