import type { Table } from './format.ts';
import { type CitedRecord, type NameFacts, RowTable } from './row-table.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a question of a set was about, as it was sent; it names the columns. */
export interface GroupsRequest {
  readonly group_by?: readonly (string | { readonly h3: number } | { readonly bins: string })[];
  readonly measures: readonly { readonly op: string; readonly field?: string; readonly q?: number }[];
}

/** An answer that a table is made of: whose it is, its body as JSON, and the request of an aggregate. */
export type TableSource =
  | { readonly of: 'fetch' | 'batch' | 'search' | 'rank' }
  | { readonly of: 'aggregate'; readonly request: GroupsRequest };

const pointAt = (lat: unknown, lng: unknown) => ({ type: 'Point', coordinates: [lng, lat] });

interface Located {
  readonly resolved_location: { readonly lat: number; readonly lng: number; readonly source: string };
  readonly fetched_at: string;
  readonly fields: Readonly<Record<string, CitedRecord>>;
}

function setLocation(rows: RowTable, { resolved_location: place, fetched_at, fields }: Located): void {
  rows.set('lat', place.lat, 'number');
  rows.set('lng', place.lng, 'number');
  rows.set('source', place.source, 'text');
  rows.set('fetched_at', fetched_at, 'text');
  for (const [name, record] of Object.entries(fields)) rows.setRecord(name, record);
}

/** One row: the place and a column for each field. */
function fetchTable(body: Json, facts: NameFacts): Table {
  const { lat: _, lng: __, fields: ___, fetched_at: ____, ...about } = body;
  const rows = new RowTable(facts);
  const answer = body as unknown as Located;
  rows.begin(pointAt(answer.resolved_location.lat, answer.resolved_location.lng));
  setLocation(rows, answer);
  rows.end();
  return rows.table(about);
}

interface Entry extends Located {
  readonly index: number;
  readonly ok: boolean;
  readonly error?: { readonly error: string };
}

/** A row for each location, in the order of the request; one that failed has its code and nothing else. */
function batchTable({ results, ...about }: Json, facts: NameFacts): Table {
  const rows = new RowTable(facts);
  for (const entry of results as readonly Entry[]) {
    const { index, ok, error, resolved_location: place } = entry;
    rows.begin(ok ? pointAt(place.lat, place.lng) : null);
    rows.set('index', index, 'integer');
    rows.set('ok', ok, 'boolean');
    rows.set('error', error?.error ?? null, 'text');
    if (ok) setLocation(rows, entry);
    rows.end(ok ? undefined : 'failed');
  }
  return rows.table(about);
}

interface Matched {
  readonly analysis_point: { readonly lat: number; readonly lng: number };
  readonly fields: Json;
  readonly field_status: Readonly<Record<string, string>>;
  readonly criteria?: Readonly<
    Record<string, { readonly value: unknown; readonly status: string; readonly percentile: number }>
  >;
  readonly enrichment?: { readonly fields: Readonly<Record<string, CitedRecord>> };
}

const MATCH_TEXTS = ['parcel_id', 'apn', 'address', 'state', 'county', 'city', 'source'] as const;

/** The boundary where it was asked for, and else the analysis point. */
function geometryOf({ fields, analysis_point: point }: Matched): object {
  const { geometry } = fields;
  return typeof geometry === 'object' && geometry !== null ? geometry : pointAt(point.lat, point.lng);
}

/**
 * A row for each match. Values that filters used, fields, criteria and what enrichment knows are columns of the same kind: a name
 * that comes twice has one column.
 */
function matchTable({ matches, ...about }: Json, facts: NameFacts): Table {
  const rows = new RowTable(facts);
  for (const match of matches as readonly (Matched & Json)[]) {
    const { analysis_point: point, fields, field_status: status, criteria = {}, enrichment } = match;
    rows.begin(geometryOf(match));
    if ('rank' in match) rows.set('rank', match.rank, 'integer');
    if ('score' in match) rows.set('score', match.score, 'number');
    for (const name of MATCH_TEXTS) if (name in match) rows.set(name, match[name], 'text');
    rows.set('acreage', match.acreage, 'number');
    rows.set('lat', point.lat, 'number');
    rows.set('lng', point.lng, 'number');
    for (const [name, record] of Object.entries(enrichment?.fields ?? {})) rows.setRecord(name, record);
    const own = Object.entries(fields).filter(([name]) => !enrichment?.fields[name]);
    for (const [name, value] of own) rows.setField(name, value, status[name] ?? 'ok');
    for (const [name, { value, status: stands, percentile }] of Object.entries(criteria)) {
      if (name in fields) rows.set(name, value);
      else rows.setField(name, value, stands);
      rows.set(`${name}_percentile`, percentile, 'number');
    }
    rows.end();
  }
  return rows.table(about);
}

interface Grouped {
  readonly key: readonly unknown[];
  readonly count: number;
  readonly small: boolean;
  readonly measures: readonly Json[];
  readonly geometry?: object;
}

/** The columns of a part of the key, with their values. */
function keyCells(by: NonNullable<GroupsRequest['group_by']>[number], part: unknown): [string, unknown][] {
  if (typeof by === 'string') return [[by, part]];
  if ('h3' in by) return [[`h3_${by.h3}`, part]];
  const { from, to } = (part ?? {}) as Json;
  return [
    [`${by.bins}_from`, from],
    [`${by.bins}_to`, to],
  ];
}

const measureName = ({ op, field, q }: GroupsRequest['measures'][number]): string =>
  [op, ...(q === undefined ? [] : [q]), ...(field === undefined ? [] : [field])].join('_');

/** A row for each group: the parts of its key, its parcels, and each measure with the parcels that it is of. */
function groupTable({ groups, ...about }: Json, { group_by = [], measures }: GroupsRequest, facts: NameFacts): Table {
  const rows = new RowTable(facts);
  for (const { key, count, small, measures: values, geometry } of groups as readonly Grouped[]) {
    rows.begin(geometry ?? null);
    const lacks: string[] = [];
    for (const [i, by] of group_by.entries()) for (const [name, part] of keyCells(by, key[i])) rows.set(name, part);
    rows.set('count', count, 'integer');
    rows.set('small', small, 'boolean');
    for (const [i, measure] of measures.entries()) {
      const { value, ok, absent, failed } = values[i]!;
      const name = measureName(measure);
      // A count of the parcels is there already.
      if (name === 'count') continue;
      rows.set(name, value);
      rows.set(`${name}_ok`, ok, 'integer');
      rows.set(`${name}_absent`, absent, 'integer');
      rows.set(`${name}_failed`, failed, 'integer');
      if (value === null) lacks.push(`${name}:${failed === 0 ? 'absent' : 'failed'}`);
    }
    rows.end(lacks.length > 0 ? lacks.join(' ') : 'ok');
  }
  return rows.table(about);
}

/** Makes a table of the body of an answer. */
export function answerTable(source: TableSource, body: Json, facts: NameFacts): Table {
  switch (source.of) {
    case 'fetch':
      return fetchTable(body, facts);
    case 'batch':
      return batchTable(body, facts);
    case 'search':
    case 'rank':
      return matchTable(body, facts);
    case 'aggregate':
      return groupTable(body, source.request, facts);
  }
}
