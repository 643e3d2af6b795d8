import { readArea } from '../../query/search/page/geojson.ts';
import { areaTest, type Comparison, type Filter, type Operand, type Test } from '../../query/search/request/filter.ts';
import { isObject } from './body-reader.ts';
import type { IssueList } from './issue-list.ts';
import type { NameJudge } from './name-judge.ts';
import { OPERATORS, readOperand } from './operand.ts';

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

/** Reads the filters of one body. Issues never quote a value from it. */
export class FilterReader<F extends object = Filter> {
  protected readonly issues: IssueList;
  /** Those that were read, in the order of the request. */
  protected readonly list: F[] = [];
  readonly #names: NameJudge;
  readonly #maxVertices: number;
  #vertices = 0;

  /** @param maxVertices of all areas of one request together. */
  constructor(names: NameJudge, issues: IssueList, maxVertices: number) {
    this.#names = names;
    this.issues = issues;
    this.#maxVertices = maxVertices;
  }

  /** Whether an operator takes no value. */
  protected takesNone(_op: unknown): boolean {
    return false;
  }

  /** Further operators that a kind of name takes. */
  protected more(_kind: Test['kind']): readonly string[] {
    return [];
  }

  /** Reads a filter with an operator beyond comparisons; tells whether it was one. */
  protected readMore(_kind: Test['kind'], _filter: Readonly<Record<string, unknown>>, _path: string): boolean {
    return false;
  }

  /** Reads the filters of a body; null where they are no list. */
  read(value: unknown): readonly F[] | null {
    if (!Array.isArray(value)) {
      this.issues.say(
        'filters',
        'Expected a list of filters.',
        'At least {"field": "state", "op": "eq", "value": "ME"}.',
      );
      return null;
    }
    for (const [i, filter] of value.entries()) this.#readFilter(filter, `filters[${i}]`);
    if (
      !value.some(f => isObject(f) && (f.field === 'state' || f.field === 'state2') && (f.op === 'eq' || f.op === 'in'))
    )
      this.issues.say(
        'filters',
        'No state is selected.',
        'Add a filter on `state` or `state2` with `eq` and a two-letter code, or `in` and a nonempty list of them.',
      );
    return this.list;
  }

  #readFilter(filter: unknown, path: string): void {
    if (!isObject(filter))
      return void this.issues.say(path, 'The filter is not an object.', 'Send {field, op, value}.');
    if (Object.hasOwn(filter, 'near'))
      return void this.issues.say(
        path,
        'A filter of a search has no `near`, or one of a set has more beside it.',
        'Filters of POST /v1/rank and POST /v1/search/count take {"near": …} alone; a search takes the `geometry` that POST /v1/areas answers.',
      );
    if (Object.keys(filter).some(key => !FILTER_KEYS.includes(key)))
      this.issues.say(path, 'The filter has an unknown property.', 'A filter is {field, op, value} and nothing else.');
    const missing = FILTER_KEYS.filter(
      key => !Object.hasOwn(filter, key) && !(key === 'value' && this.takesNone(filter.op)),
    );
    if (missing.length)
      return void this.issues.say(path, `The filter lacks ${missing.join(', ')}.`, 'Send {field, op, value}.');
    const { field, op, value } = filter;
    if (typeof field !== 'string')
      return void this.issues.say(`${path}.field`, 'Expected the name of a field.', 'Names are strings.');
    const kind = this.#names.judge(field, `${path}.field`, 'filter');
    if (!kind) return;
    if (kind === 'area') return void this.#readAreaFilter(op, value, path);
    if (this.readMore(kind, filter, path)) return;
    const allowed = OPERATORS[kind];
    if (!allowed.includes(op as Comparison)) {
      const problem = SEARCH_OPERATORS.includes(op) ? `\`${field}\` does not take \`${op}\`.` : 'Unknown operator.';
      return void this.issues.say(`${path}.op`, problem, `It takes ${[...allowed, ...this.more(kind)].join(', ')}.`);
    }
    const operands = this.#readOperands(kind, op as Comparison, value, `${path}.value`);
    if (operands) this.list.push({ name: field, kind, op: op as Comparison, operands } as F);
  }

  #readOperands(kind: Test['kind'], op: Comparison, value: unknown, path: string): Operand[] | null {
    const several = op === 'in' || op === 'between';
    if (several && (!Array.isArray(value) || (op === 'in' ? value.length === 0 : value.length !== 2))) {
      if (op === 'in') this.issues.say(path, 'Expected a nonempty list.', 'For one value use `eq`.');
      else
        this.issues.say(
          path,
          'Expected a list of exactly two bounds.',
          'Both bounds are included; the lower one first.',
        );
      return null;
    }
    const operands: Operand[] = [];
    for (const [i, each] of (several ? (value as unknown[]) : [value]).entries()) {
      const operand = readOperand(kind, each);
      if (typeof operand === 'object') {
        this.issues.say(several ? `${path}[${i}]` : path, operand.description, operand.hint);
        return null;
      }
      operands.push(operand);
    }
    if (op === 'between' && operands[0]! > operands[1]!) {
      this.issues.say(path, 'The bounds are not ascending.', 'Write the lower bound first.');
      return null;
    }
    return op === 'in' ? [...new Set(operands)] : operands;
  }

  #readAreaFilter(op: unknown, value: unknown, path: string): void {
    if (op !== 'intersects' && op !== 'within')
      return void this.issues.say(
        `${path}.op`,
        '`geometry` does not take this operator.',
        'It takes intersects and within.',
      );
    const area = readArea(value, `${path}.value`, this.#maxVertices - this.#vertices);
    if ('description' in area) this.issues.say(area.path, area.description, area.hint);
    else {
      this.#vertices += area.xy.length / 2;
      this.list.push(areaTest(op, area, `${path}.value`) as F);
    }
  }
}
