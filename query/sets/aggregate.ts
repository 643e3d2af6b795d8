import type { SearchEnvironment } from '../search/page/environment.ts';
import type { Notice } from '../search/page/notices.ts';
import type { Issue } from '../search/request/issue.ts';
import { compareTexts, numbersOf, type SetField, TextNumbers } from './column-values.ts';
import type { CountySet } from './county-set.ts';
import { cellOutline, Dimension, type GroupBy, type KeyPart, type RowKeys } from './dimension.ts';
import { onGround, type SetRequest } from './ground/set-ground.ts';
import { type FieldColumn, GroupStatuses } from './group-statuses.ts';
import { addsGround, Measure, type Measured, type MeasureRequest } from './measure.ts';
import { Selection } from './selection.ts';
import { noticesOfSet } from './set-notices.ts';
import { GroupsTooMany, MOST_GROUPS, MOST_VALUES, SetTooLarge } from './set-size.ts';

/** A judged question for groups of a set, plain data. */
export interface AggregateRequest extends SetRequest {
  readonly groupBy: readonly GroupBy[];
  readonly measures: readonly MeasureRequest[];
  /** Whether sums of ground count it for every row that has it. */
  readonly stacked: boolean;
  /** Groups of fewer parcels are called small. */
  readonly minCount: number;
  /** Whether groups by cell come with the cell's outline. */
  readonly geometry: boolean;
}

/** A group of parcels. */
export interface Group {
  /** One part for each thing that is grouped by. */
  readonly key: readonly KeyPart[];
  readonly count: number;
  readonly small: boolean;
  readonly measures: readonly Measured[];
  readonly geometry?: ReturnType<typeof cellOutline>;
}

/** The groups of a set, largest first. */
export interface Aggregation {
  readonly groups: readonly Group[];
  readonly considered: number;
  /** Parcels whose group is not known, because the calculation of a field failed. */
  readonly failed: number;
  /** Parcels for which a filter's calculation failed. */
  readonly unknown: number;
  readonly unread: boolean;
  /** Fields of measures without any value among the parcels. */
  readonly empty: readonly string[];
  readonly notices: readonly Notice[];
}

/** The groups as JSON text, which the thread that serves everybody has but to send, and the first of them. */
export interface WrittenAggregation extends Omit<Aggregation, 'groups'> {
  readonly groups: string;
  readonly count: number;
  readonly first: readonly Group[];
}

/** What is wrong with the request, or that there are more groups than are answered. */
type Refused = { readonly issues: readonly Issue[] } | { readonly tooMany: number };
export type AggregateAnswer = WrittenAggregation | Refused;

const ROWS = 2 ** 32;

/** Numbers of groups: of their keys' parts together. */
class GroupNumbers {
  /** By dimension, by the group of the parts before it, by key: the number of the group. */
  readonly #numbers: readonly (number | undefined)[][][];
  readonly #sizes: number[];
  /** By number of the group: its parts. */
  readonly parts: number[][] = [];

  constructor(dimensions: number) {
    this.#numbers = Array.from({ length: dimensions }, () => []);
    this.#sizes = this.#numbers.map(() => 0);
    if (dimensions === 0) this.parts.push([]);
  }

  /** The groups of some rows, one by one. @param keys by dimension: of each row of the county. @throws GroupsTooMany. */
  of(keys: readonly Uint32Array[], rows: Uint32Array): Uint32Array {
    const groups = new Uint32Array(rows.length);
    for (const [i, of] of keys.entries()) {
      const numbers = this.#numbers[i]!;
      const isLast = i === keys.length - 1;
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at]!;
        const key = of[row]!;
        const before = groups[at]!;
        numbers[before] ??= [];
        const list = numbers[before];
        let next = list[key];
        if (next === undefined) {
          if (this.#sizes[i] === MOST_GROUPS) throw new GroupsTooMany();
          next = this.#sizes[i]!++;
          list[key] = next;
          if (isLast) this.parts.push(keys.map(one => one[row]!));
        }
        groups[at] = next;
      }
    }
    return groups;
  }
}

/**
 * The parcels that pass every filter in groups, with measures of each.
 * @throws Interrupted when `stopped` says so.
 */
async function aggregateParcels(
  request: AggregateRequest,
  environment: SearchEnvironment,
): Promise<Aggregation | Refused> {
  const { filters, groupBy, measures, minCount, geometry } = request;
  try {
    return await onGround(request, environment, async ground => {
      const selection = new Selection();
      const groups = new Groups(
        request,
        groupBy.map(by => new Dimension(by, ground?.step ?? (() => undefined))),
      );
      await selection.walk(filters, ground, (set, rows) => groups.take(set, rows));
      const { considered, unknown, unread } = selection;
      const notices = ground ? await noticesOfSet(filters, considered === 0, ground) : [];
      const list = groups.list().map(({ key, count, measures: results }) => {
        const cell = geometry ? groupBy.findIndex(({ by }) => by === 'h3') : -1;
        const outline = cell < 0 ? {} : { geometry: cellOutline(String(key[cell])) };
        return { key, count, small: count < minCount, measures: results, ...outline };
      });
      const lacking = measures.flatMap(({ field }, i) =>
        field && considered > 0 && list.every(group => group.measures[i]!.ok === 0) ? [field.name] : [],
      );
      const empty = [...new Set(lacking)];
      return { groups: list, considered, failed: groups.failed, unknown, unread, empty, notices };
    });
  } catch (error) {
    if (error instanceof SetTooLarge) return { issues: [error.issue] };
    if (error instanceof GroupsTooMany) return { tooMany: MOST_GROUPS };
    throw error;
  }
}

/** Groups that are told beside the text of all. */
const FIRST = 100;

/** The parcels that pass every filter in groups, with measures of each. @throws Interrupted when `stopped` says so. */
export async function writeAggregate(
  request: AggregateRequest,
  environment: SearchEnvironment,
): Promise<AggregateAnswer> {
  const answer = await aggregateParcels(request, environment);
  if (!('groups' in answer)) return answer;
  const { groups } = answer;
  return { ...answer, groups: JSON.stringify(groups), count: groups.length, first: groups.slice(0, FIRST) };
}

/** Groups that grow county by county. */
class Groups {
  readonly #dimensions: readonly Dimension[];
  readonly #measures: readonly Measure[];
  /** By field of a measure, null of a count of the parcels themselves. */
  readonly #statuses = new Map<string | null, GroupStatuses>();
  readonly #stacked: boolean;
  readonly #numbers: GroupNumbers;
  readonly #counts = new Float64Array(MOST_GROUPS);
  failed = 0;

  constructor({ measures, stacked }: AggregateRequest, dimensions: readonly Dimension[]) {
    this.#dimensions = dimensions;
    this.#measures = measures.map(measure => new Measure(measure));
    for (const { field } of measures) this.#statuses.set(field?.name ?? null, new GroupStatuses());
    this.#stacked = stacked;
    this.#numbers = new GroupNumbers(dimensions.length);
  }

  /** @throws Fault or DamagedFile when something cannot be read, GroupsTooMany, SetTooLarge. */
  async take(set: CountySet, selected: Uint32Array): Promise<void> {
    const kept = this.#measures.reduce((sum, { request, length }) => {
      return sum + length + (request.op === 'quantile' ? selected.length : 0);
    }, 0);
    if (kept > MOST_VALUES) throw new SetTooLarge();
    const columns = new Map<string | null, FieldColumn | null>([[null, null]]);
    for (const { request } of this.#measures)
      if (request.field && !columns.has(request.field.name))
        columns.set(request.field.name, await columnOf(set, request.field));
    const keys: RowKeys[] = [];
    for (const dimension of this.#dimensions) keys.push(await dimension.of(set, selected));
    const ground =
      !this.#stacked && this.#measures.some(({ request }) => addsGround(request)) ? await set.outlines() : null;
    const rows = keys.some(({ failed }) => failed)
      ? selected.filter(row => keys.every(({ failed }) => failed?.[row] !== 1))
      : selected;
    const groups = this.#numbers.of(
      keys.map(one => one.keys),
      rows,
    );
    for (let i = 0; i < groups.length; i++) this.#counts[groups[i]!]!++;
    this.failed += selected.length - rows.length;
    const repeats = ground?.stacked ? repeatsOf(rows, groups, ground.first) : null;
    for (const [name, statuses] of this.#statuses) {
      const values = statuses.take(rows, groups, columns.get(name)!, repeats);
      for (const measure of this.#measures) if ((measure.request.field?.name ?? null) === name) measure.take(values);
    }
  }

  /** The groups, largest first; equal ones by their key. */
  list(): { readonly key: readonly KeyPart[]; readonly count: number; readonly measures: readonly Measured[] }[] {
    const { parts } = this.#numbers;
    const measured = this.#measures.map(measure =>
      measure.results(parts.length, this.#statuses.get(measure.request.field?.name ?? null)!),
    );
    return parts
      .map((numbers, group) => ({
        key: numbers.map((number, i) => this.#dimensions[i]!.part(number)),
        count: this.#counts[group]!,
        measures: measured.map(results => results[group]!),
      }))
      .sort((a, b) => b.count - a.count || compareTexts(JSON.stringify(a.key), JSON.stringify(b.key)));
  }
}

async function columnOf(set: CountySet, field: SetField): Promise<FieldColumn> {
  const column = await set.columnOrNone(field);
  return { numbers: numbersOf(column, new TextNumbers()), failed: column.failed };
}

/** 1 of rows whose ground a row before them has that is in the same group. */
function repeatsOf(rows: Uint32Array, groups: Uint32Array, first: Uint32Array): Uint8Array {
  const repeats = new Uint8Array(rows.length);
  const shared = new Uint8Array(first.length);
  for (let row = 0; row < first.length; row++) if (first[row] !== row) shared[row] = shared[first[row]!] = 1;
  const seen = new Set<number>();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (shared[row] === 0) continue;
    const place = groups[i]! * ROWS + first[row]!;
    if (seen.has(place)) repeats[i] = 1;
    else seen.add(place);
  }
  return repeats;
}
