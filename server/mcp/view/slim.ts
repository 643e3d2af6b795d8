import { COLUMN, lackIn } from '../../../datasets/lack-words.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { placeAddress } from './explorer.ts';

/** The part of a record's provenance that its product has in common. */
interface Source {
  readonly source: unknown;
  readonly source_url: unknown;
  readonly dataset_vintage: unknown;
  /** The earliest of its values: none is older. */
  fetched_at: unknown;
}

/** A field record as models read it; `source` counts the sources of the answer. */
export interface SlimRecord {
  readonly value: unknown;
  readonly unit: unknown;
  readonly status: unknown;
  readonly confidence: unknown;
  readonly source: number;
  readonly notes?: unknown;
  readonly error?: unknown;
  readonly retryable?: unknown;
}

/** A record with its name. */
export type Named = readonly [name: string, record: SlimRecord];

/** One entry of an answer's list, or the answer itself where it is about one place. */
export interface Group {
  /** The entry without its records, one for each list; empty where the answer is about one place. */
  readonly heads: readonly unknown[];
  readonly records: readonly Named[];
  /** Where it stood in the whole answer, of one that an earlier part left. */
  readonly place?: number;
}

/** An answer in its parts: what stays of it wherever it is cut, and what may be cut. Plain data. */
export interface Parts {
  /** The answer without its groups: its lists are empty. */
  readonly frame: unknown;
  /** Where the lists stand that are cut together, by their keys. */
  readonly lists: readonly (readonly string[])[];
  /** Where the records stand in a head, or in the frame. */
  readonly at: readonly string[];
  readonly groups: readonly Group[];
  readonly sources: readonly Source[];
  /** Places of the sources that earlier parts named, in the order of their numbers; absent in the first part. */
  readonly told?: readonly number[];
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const RECORD_KEYS = ['value', 'unit', 'source', 'confidence', 'status', 'ttl_seconds'];
const isRecord = (value: unknown): boolean => isObject(value) && RECORD_KEYS.every(key => key in value);
const isRecords = (value: unknown): boolean => isObject(value) && Object.values(value).every(isRecord);

/** Keys of shapes, and shapes as values: a road's has ten thousand numbers. */
const SHAPES: ReadonlySet<string> = new Set(['geometry', 'geometry_wkt']);
const isShape = (value: unknown): boolean =>
  isObject(value) && Array.isArray(value.coordinates) && /^(?:Multi)?(?:LineString|Polygon)$/.test(String(value.type));

/** Keys of paths, where an answer goes on by HTTP. */
const PATHS: ReadonlySet<string> = new Set(['poll', 'events']);

/** Lists that are cut together: the rows of a matrix belong to its origins. */
const MATRIX = ['origins', 'minutes', 'meters'];

/** The value at a path. */
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner: unknown, key) => (isObject(inner) ? inner[key] : undefined), value);

/** The value with another one at a path. The order of its keys stays. */
export function withValueAt(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put;
  return { ...(value as Json | undefined), [key]: withValueAt((value as Json | undefined)?.[key], rest, put) };
}

/** Collects the sources of an answer, each once. */
class Sources {
  readonly all: Source[] = [];
  readonly #places = new Map<string, number>();

  /** @returns the number of a record's source. */
  placeOf({ source, source_url, dataset_vintage, fetched_at }: Json): number {
    const key = JSON.stringify([source, source_url, dataset_vintage]);
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.all.push({ source, source_url, dataset_vintage, fetched_at }) - 1;
      this.#places.set(key, place);
    } else if (String(fetched_at) < String(this.all[place]!.fetched_at)) this.all[place]!.fetched_at = fetched_at;
    return place;
  }
}

/** Writes answers for models. @param shapes whether they were asked for. */
class Slimming {
  readonly sources = new Sources();
  readonly #shapes: boolean;
  readonly #origin: string | null;

  constructor(shapes: boolean, origin: string | null) {
    this.#shapes = shapes;
    this.#origin = origin;
  }

  /** An answer about a place, with where it is shown. */
  #withAddress(value: Json): Json {
    const { lat, lng, resolved_location: place } = value;
    if (this.#origin === null || !isObject(place) || typeof lat !== 'number' || typeof lng !== 'number') return value;
    const path = 'parcel_match' in value || 'parcel' in value ? '/parcel' : '/';
    return { ...value, view_url: placeAddress(this.#origin, path, { lat, lng }) };
  }

  record(record: Json): SlimRecord {
    const { value, unit, status, confidence, notes, error, retryable } = record;
    const hasDoubt = status !== 'ok' || confidence !== 'high';
    return {
      value: this.any(value),
      unit,
      status,
      confidence,
      source: this.sources.placeOf(record),
      // What a failed one would note, its error says.
      ...(hasDoubt && status !== 'failed' && notes !== null ? { notes } : {}),
      ...(status === 'failed' ? { error, retryable } : {}),
    };
  }

  any(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(one => this.any(one));
    if (!isObject(value)) return value;
    if (isRecord(value)) return this.record(value);
    if (isShape(value) && !this.#shapes) return { type: value.type, omitted: true };
    const elsewhere = readElsewhere(value);
    const own = this.#withAddress(elsewhere ? { ...value, analysis_point: elsewhere } : value);
    const seen = ([key, inner]: readonly [string, unknown]) =>
      (this.#shapes || !SHAPES.has(key) || (isObject(inner) && inner.type === 'Point')) &&
      !(PATHS.has(key) && typeof inner === 'string');
    return Object.fromEntries(
      Object.entries(own)
        .filter(seen)
        .map(([key, inner]) => [key, this.any(inner)]),
    );
  }

  /** Takes the records out of a head, and with them the failures, which are written from the records again. */
  group(head: unknown, at: readonly string[]): Group {
    const records = valueAt(head, at);
    if (!isRecords(records)) return { heads: [this.any(head)], records: [] };
    const named = Object.entries(records as Json).map(([name, record]) => [name, this.record(record as Json)] as const);
    return { heads: [this.any(withoutFailures(withValueAt(head, at, {}), at))], records: named };
  }
}

/** Where the failures stand that belong to records. */
export const failuresAt = (at: readonly string[]): readonly string[] => [...at.slice(0, -1), 'partial_failures'];

const withoutFailures = (head: unknown, at: readonly string[]) =>
  Array.isArray(valueAt(head, failuresAt(at))) ? withValueAt(head, failuresAt(at), []) : head;

/** Finds the lists of an answer that are cut: the longest one, or those of a matrix. */
function listsOf(answer: Json): readonly (readonly string[])[] {
  if (MATRIX.every(key => Array.isArray(answer[key]))) return MATRIX.map(key => [key]);
  const inner = isObject(answer.result) ? Object.keys(answer.result).map(key => ['result', key]) : [];
  const lists = [...Object.keys(answer).map(key => [key]), ...inner].filter(path =>
    Array.isArray(valueAt(answer, path)),
  );
  const filled = lists.filter(path => (valueAt(answer, path) as readonly unknown[]).length > 0);
  // The only list that has entries needs no measuring: a page of enriched parcels has megabytes.
  if (filled.length < 2) return [...filled, ...lists].slice(0, 1);
  const lengthOf = (path: readonly string[]) => JSON.stringify(valueAt(answer, path)).length;
  const [longest] = filled.map(path => ({ path, length: lengthOf(path) })).sort((a, b) => b.length - a.length);
  return [longest!.path];
}

/**
 * Takes an answer apart, with its records as models read them: value, unit, status, confidence and the number of the source.
 * @param answer the body that HTTP answers. @param shapes whether geometries were asked for. @param beside what a tool says with it.
 * @param origin of the explorer; null where no addresses of it are wanted.
 */
export function partsOf(answer: unknown, shapes: boolean, beside: Json = {}, origin: string | null = null): Parts {
  const parts = withoutLacking(partsAlone(answer, shapes, origin));
  return isObject(parts.frame) ? { ...parts, frame: { ...parts.frame, ...withEmptyColumns(answer, beside) } } : parts;
}

/** Lists of names that no place has a value of, by what lacks them: a layer that is not installed, a copy without the column. */
const LACKS: Readonly<Record<string, (record: SlimRecord) => string | null>> = {
  not_installed: ({ status, retryable, error }) => {
    const lack = status === 'failed' && retryable === false ? lackIn(String(error)) : null;
    return lack?.of === 'release' ? lack.layer : null;
  },
  not_published: ({ status, notes }) => {
    const lack = status === 'absent' ? lackIn(String(notes)) : null;
    return lack?.of === 'copy' && COLUMN.test(lack.part) ? lack.source : null;
  },
};
/** Names up to which each keeps its record, and beyond which only their number is told: nobody asked for so many by name. */
const FEW = 3;
const MANY = 60;

/** Takes out the records that say at every place that a release lacks them, and tells their names once, by what lacks them. */
function withoutLacking(parts: Parts): Parts {
  const all = parts.groups.flatMap(({ records }) => records);
  const gone = new Set<string>();
  const told: Record<string, object> = {};
  for (const [list, lackOf] of Object.entries(LACKS)) {
    const lacking = new Map<string, string>();
    const present = new Set<string>();
    for (const [name, record] of all) {
      const by = lackOf(record);
      if (by === null) present.add(name);
      else lacking.set(name, by);
    }
    const names = [...lacking].filter(([name]) => !present.has(name));
    if (names.length <= FEW) continue;
    for (const [name] of names) gone.add(name);
    const said = (of: readonly (readonly [string, string])[]) =>
      names.length > MANY ? of.length : of.map(([name]) => name).join(' ');
    // Of very many names each dataset is told once, whichever of its layers lack.
    const grouped = Map.groupBy(names, ([, by]) => (names.length > MANY ? by.split(':')[0]! : by));
    told[list] = Object.fromEntries([...grouped].map(([by, of]) => [by, said(of)]));
  }
  if (gone.size === 0 || !isObject(parts.frame)) return parts;
  return {
    ...parts,
    frame: { ...parts.frame, ...told },
    groups: parts.groups.map(({ heads, records }) => ({
      heads,
      records: records.filter(([name]) => !gone.has(name)),
    })),
  };
}

/** The part beside a page, with a warning of each column that has no value in any of its matches. */
function withEmptyColumns(answer: unknown, beside: Json): Json {
  const { columns, warnings = [] } = beside;
  const matches = isObject(answer) && Array.isArray(answer.matches) ? (answer.matches as readonly Json[]) : [];
  if (!isObject(columns) || matches.length === 0) return beside;
  const empty = Object.entries(columns).filter(([name]) =>
    matches.every(({ field_status: status }) => isObject(status) && name in status && status[name] !== 'ok'),
  );
  if (empty.length === 0) return beside;
  const texts = empty.map(([name, column]) => {
    const { lack } = column as { readonly lack?: string };
    return `No match of this page has a value of ${name}${lack === undefined ? '' : ` (${lack})`}.`;
  });
  return { ...beside, warnings: [...(warnings as readonly string[]), ...texts] };
}

/** Metres from which on a value is said to be of another point than was asked about. */
const ELSEWHERE_M = 1;

/** The point that a record was read at, with how far that is from the place that was asked about. */
function readElsewhere({ lat, lng, analysis_point: point }: Json): Json | null {
  if (!isObject(point) || typeof lat !== 'number' || typeof lng !== 'number') return null;
  const metres = distance(lng, lat, Number(point.lng), Number(point.lat));
  if (!(metres >= ELSEWHERE_M)) return null;
  const distance_m = Math.round(metres);
  const note = `Values at a point are those of the interior point of the lot, ${distance_m} m from the place asked about.`;
  return { ...point, distance_m, note };
}

/** Matches that a count shows where they are not all. */
const SAMPLE = 3;

/** A count without most of its preview where that is only a sample: who asks how many there are has no use for ten of them. */
function sampled(answer: unknown): unknown {
  if (!isObject(answer) || !Array.isArray(answer.preview)) return answer;
  const { count, preview } = answer;
  return Number(count) > preview.length ? { ...answer, preview: preview.slice(0, SAMPLE) } : answer;
}

function partsAlone(given: unknown, shapes: boolean, origin: string | null): Parts {
  const answer = sampled(given);
  const slimming = new Slimming(shapes, origin);
  const { all: sources } = slimming.sources;
  if (!isObject(answer)) return { frame: answer, lists: [], at: [], groups: [], sources };
  if (isRecords(answer.fields)) {
    const at = ['fields'];
    const { heads, records } = slimming.group(answer, at);
    return { frame: heads[0], lists: [], at, groups: [{ heads: [], records }], sources };
  }
  const lists = listsOf(answer);
  const [first] = lists;
  const entries = first ? (valueAt(answer, first) as readonly unknown[]) : [];
  const has = (path: readonly string[]) => entries.some(entry => isRecords(valueAt(entry, path)));
  const at = [['enrichment', 'fields'], ['fields']].find(has) ?? ['fields'];
  const groups = entries.map((entry, i) => {
    const [own, ...others] = lists;
    if (others.length === 0 && own) return slimming.group(entry, at);
    return { heads: lists.map(path => slimming.any((valueAt(answer, path) as readonly unknown[])[i])), records: [] };
  });
  const emptied = lists.reduce((frame: unknown, path) => withValueAt(frame, path, []), answer);
  return { frame: slimming.any(emptied), lists, at, groups, sources };
}
