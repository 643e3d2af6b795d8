import { LongAnswer, Passing } from '../client.ts';
import { AcquireError } from '../fault.ts';
import { Refused } from './answer.ts';
import type { RowPage, ServiceLayer, ServiceRow } from './layer.ts';

/** Rows that came together, in the order of the walk. */
export interface Rows {
  readonly rows: readonly ServiceRow[];
  readonly crs: string | null;
  /** Rows that the service fails to send, by id. */
  readonly unread: readonly string[];
}

/** Rows with where the next ones begin. */
export type Batch = Rows & { readonly next: number };

/** A way through all rows of a layer. */
export interface Walk {
  /** Changes with the rows. */
  readonly stamp: string;
  /** Rows that there are; null where the service does not count. */
  readonly count: number | null;
  /** Column of the object ids; null where rows have none. */
  readonly idField: string | null;
  /** Whether it can begin in the half. */
  readonly resumes: boolean;
  /** @throws AcquireError, Refused. */
  batches(from: number): AsyncGenerator<Batch>;
}

/** Attempts beside the first at a request of many rows, before it is halved. */
const RETRIES = 2;
/** Rows that a service may fail to send before it counts as broken. */
export const MOST_UNREAD = 100;
/**
 * The id of a row: of GeoJSON its `id`, else the column, which pages may name without its table or in other letters. @returns null
 * where it has none, or one of more digits than a double.
 */
export function idOf({ id, attributes, properties }: ServiceRow, field: string | null): number | null {
  const values = attributes ?? properties ?? {};
  const last = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const exact = field !== null && values[field] !== undefined ? values[field] : undefined;
  const key = field === null ? undefined : Object.keys(values).find(name => last(name) === last(field));
  const value = exact ?? (key === undefined ? id : values[key]);
  const number = Number(value ?? Number.NaN);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : null;
}

/** The rows of a page are not those that were asked for. Another try may bring them. */
export class OtherRows extends Passing {}

/** A row that the service names and does not send. */
class Absent extends OtherRows {}

/** Whether a fault is one of the rows asked for: the service ends in an error, in silence, in half an answer, or in more than fits. */
export const isOfRows = (error: unknown): boolean =>
  error instanceof LongAnswer || (error instanceof AcquireError && error.kind === 'unreachable' && !isOfOthers(error));

/** Whether the rows that came were other ones to the last: they were edited meanwhile, or the service pages wrongly. */
export const isOfOthers = (error: unknown): boolean =>
  error instanceof AcquireError && error.cause instanceof OtherRows && !(error.cause instanceof Absent);

const EMPTY = { rows: [], crs: null, unread: [] } as const;

function joined(parts: readonly Rows[]): Rows {
  return {
    rows: parts.flatMap(({ rows }) => rows),
    crs: parts.find(({ crs }) => crs !== null)?.crs ?? null,
    unread: parts.flatMap(({ unread }) => unread),
  };
}

/** Asks for rows, and for the halves of what the service fails to send, down to the one row that it fails at. */
export class Halving {
  readonly #layer: ServiceLayer;
  #unread = 0;

  constructor(layer: ServiceLayer) {
    this.#layer = layer;
  }

  /**
   * @param size rows asked for. @param ask one try. @param halves the two parts. @param name of a single row.
   * @param id of a single row, where there is a column of them.
   * @throws AcquireError where the whole service fails, not a row of it.
   */
  async take(
    size: number,
    ask: () => Promise<Rows | 'halve'>,
    halves: () => readonly (() => Promise<Rows>)[],
    name: () => string,
    id?: { readonly field: string; readonly of: number },
  ): Promise<Rows> {
    try {
      const batch = await this.#layer.patiently(ask, size > 1 ? RETRIES : undefined);
      if (batch !== 'halve') return batch;
    } catch (error) {
      // Many services refuse a question, in the words for one they do not understand, because of a single row.
      if (!isOfRows(error) && !(error instanceof Refused)) throw error;
      if (size <= 1) {
        // A service that answers nothing else either is down.
        await this.#layer
          .patiently(() => this.#layer.query(this.#layer.noRow, { returnCountOnly: 'true' }))
          .catch(() => {
            throw error;
          });
        const { field, of } = id ?? {};
        const isSilent = error instanceof AcquireError && error.cause instanceof Absent;
        if (field !== undefined && !isSilent && (await this.#layer.leaveOut(`${field} = ${of}`, `${field} <> ${of}`)))
          return this.take(size, ask, halves, name, id);
        if (++this.#unread > MOST_UNREAD)
          throw new AcquireError(
            'wrong_content',
            this.#layer.source.url,
            `the service fails to send more than ${MOST_UNREAD} of its rows; the last was ${name()}: ${(error as Error).message}`,
          );
        return { ...EMPTY, unread: [name()] };
      }
    }
    const parts: Rows[] = [];
    for (const half of halves()) parts.push(await half());
    return joined(parts);
  }
}

/**
 * The rows of a page in the order of the ids. A page without the column of the ids is taken by its number of rows.
 * @returns `halve` where rows are missing and fewer may come whole. @throws Passing when the page repeats or lacks rows.
 */
export function matching({ rows, crs }: RowPage, wanted: readonly number[], field: string, name: string) {
  const all = rows.map(row => idOf(row, field));
  if (rows.length > 0 && all.every(id => id === null)) {
    if (rows.length === wanted.length) return { rows, crs, unread: [] };
    if (rows.length < wanted.length && wanted.length > 1) return 'halve';
    throw new OtherRows(`${name} has ${rows.length} rows, expected ${wanted.length}`);
  }
  const byId = new Map(rows.map((row, i) => [all[i]!, row]));
  if (byId.size !== rows.length) throw new OtherRows(`${name} repeats ${rows.length - byId.size} rows`);
  const missing = wanted.filter(id => !byId.has(id));
  if (missing.length === 0) return { rows: wanted.map(id => byId.get(id)!), crs, unread: [] };
  // The service may send fewer rows than its limit allows.
  if (wanted.length > 1 && rows.length < wanted.length) return 'halve';
  if (rows.length === 0) throw new Absent(`${name} is empty`);
  throw new OtherRows(`${name} lacks ${missing.length} rows, ${missing.slice(0, 3).join(', ')}`);
}
