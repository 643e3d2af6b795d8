import { Type } from 'typebox';
import type { Group } from '../../query/sets/aggregate.ts';
import type { GroupBy } from '../../query/sets/dimension.ts';
import type { MeasureRequest } from '../../query/sets/measure.ts';
import { ServiceError } from '../errors/registry.ts';
import type { GroupsRequest } from '../formats/answer-table.ts';
import { defineOperation } from '../operation/operation.ts';
import { valueText } from '../operation/value-text.ts';
import { isObject, type JsonObject } from '../search/body-reader.ts';
import { AggregateBodySchema, AggregateResponseSchema } from './aggregate-schema.ts';
import { askSet, warningsOf } from './answer.ts';
import type { AreaCtx, SetServices } from './area-source.ts';
import {
  DEFAULT_MIN_COUNT,
  LEAST_RESOLUTION,
  MOST_DIMENSIONS,
  MOST_EDGES,
  MOST_MEASURES,
  MOST_MIN_COUNT,
  MOST_RESOLUTION,
} from './limits.ts';
import type { SetReader } from './set-reader.ts';
import { SET_TERMS } from './terms.ts';

const KEYS = ['group_by', 'measures', 'min_count', 'geometry', 'stacked'];
const PLACES = ['county', 'city', 'zip'] as const;
const OPERATIONS = ['count', 'sum', 'mean', 'min', 'max', 'quantile'] as const;
const NUMERIC = { kinds: ['number', 'integer'], called: 'numbers' } as const;
const ORDERED = { kinds: ['number', 'integer', 'date', 'timestamp'], called: 'numbers or dates' } as const;

/** An answer: its groups are JSON text already. */
interface AggregateResponse {
  readonly groups: string;
  /** No part of the body: how many groups there are, and the first of them. */
  readonly outline: { readonly count: number; readonly first: readonly Group[] };
  readonly considered: number;
  readonly failed: number;
  readonly unknown: number;
  readonly warnings: readonly string[];
}

/** The response as JSON text. */
const aggregateText = ({ groups, outline: _, ...rest }: AggregateResponse): string =>
  `{"groups":${groups},${JSON.stringify(rest).slice(1)}`;

/** Bytes of an answer that is not yet made, about. */
const ANSWER_BYTES = 1 << 20;

function readBins(reader: SetReader, { bins, edges }: JsonObject, path: string): GroupBy | null {
  const field = reader.readField(bins, `${path}.bins`, NUMERIC);
  const list = Array.isArray(edges) ? (edges as unknown[]) : [];
  const ascends = (edge: unknown, i: number) =>
    typeof edge === 'number' && Number.isFinite(edge) && (i === 0 || edge > (list[i - 1] as number));
  if (list.length === 0 || list.length > MOST_EDGES || !list.every(ascends)) {
    reader.issues.say(
      `${path}.edges`,
      'Expected ascending numbers.',
      `Send 1 to ${MOST_EDGES}, each above the one before.`,
    );
    return null;
  }
  return field && { by: 'bins', field, edges: list as number[] };
}

function readDimension(reader: SetReader, given: unknown, path: string): GroupBy | null {
  if (PLACES.includes(given as 'county')) return { by: given as 'county' };
  if (typeof given === 'string') {
    const field = reader.readField(given, path);
    return field && { by: 'field', field };
  }
  const keys = isObject(given) ? Object.keys(given).sort().join() : '';
  if (keys === 'h3') {
    const { h3 } = given as JsonObject;
    const fits = (number: number) =>
      Number.isInteger(number) && number >= LEAST_RESOLUTION && number <= MOST_RESOLUTION;
    const expected = `a whole number from ${LEAST_RESOLUTION} to ${MOST_RESOLUTION}`;
    const resolution = reader.readNumber(h3, `${path}.h3`, fits, expected);
    return resolution === null ? null : { by: 'h3', resolution };
  }
  if (keys === 'bins,edges') return readBins(reader, given as JsonObject, path);
  const hint = 'It takes a name, "county", "city", "zip", {"h3": resolution} or {"bins": name, "edges": numbers}.';
  reader.issues.say(path, 'Expected what parcels are grouped by.', hint);
  return null;
}

function readDimensions(reader: SetReader, body: JsonObject): GroupBy[] {
  const given = body.group_by ?? [];
  if (!Array.isArray(given) || given.length > MOST_DIMENSIONS) {
    reader.issues.say('group_by', 'Expected a list.', `Send up to ${MOST_DIMENSIONS}, or none for one group of all.`);
    return [];
  }
  return given.flatMap((each: unknown, i) => readDimension(reader, each, `group_by[${i}]`) ?? []);
}

function readMeasures(reader: SetReader, body: JsonObject): MeasureRequest[] {
  const given = reader.readObjects(body, 'measures', MOST_MEASURES, ['op', 'field', 'q']);
  return given.flatMap((each, i): MeasureRequest[] => {
    if (!each) return [];
    const path = `measures[${i}]`;
    const op = reader.readWord(each.op, `${path}.op`, OPERATIONS);
    if (!op) return [];
    let q: number | null = 0;
    if (op === 'quantile')
      q = reader.readNumber(each.q, `${path}.q`, share => share >= 0 && share <= 1, 'a number from 0 to 1');
    else if (Object.hasOwn(each, 'q')) reader.issues.say(`${path}.q`, 'Only a quantile takes `q`.', 'Leave it out.');
    if (op === 'count' && !Object.hasOwn(each, 'field')) return [{ op, field: null, q: 0 }];
    const allowed = op === 'count' ? undefined : op === 'min' || op === 'max' ? ORDERED : NUMERIC;
    const field = reader.readField(each.field, `${path}.field`, allowed);
    return field && q !== null ? [{ op, field, q }] : [];
  });
}

function readOwn(reader: SetReader, body: JsonObject) {
  const groupBy = readDimensions(reader, body);
  const measures = readMeasures(reader, body);
  const minCount = reader.readCount(body, 'min_count', { usual: DEFAULT_MIN_COUNT, most: MOST_MIN_COUNT });
  const geometry = reader.readFlag(body, 'geometry');
  if (geometry && groupBy.filter(({ by }) => by === 'h3').length !== 1)
    reader.issues.say('geometry', 'Only cells have a geometry.', 'Group by one {"h3": resolution}, or leave it out.');
  return { groupBy, measures, minCount, geometry, stacked: reader.readFlag(body, 'stacked') };
}

/**
 * POST /v1/aggregate: the parcels that pass every filter in groups, with measures of each.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, groups_too_many, search_unavailable, worker_stopped, and those of areaOf; AbortError when the client has
 * gone.
 */
export async function aggregateMatches(ctx: AreaCtx, services: SetServices, body: unknown): Promise<AggregateResponse> {
  const answer = await askSet(
    { ctx, services, body },
    (reader, read) => reader.readSet(read, KEYS, own => readOwn(reader, own)),
    (engine, request, terms) => engine.aggregate(request, terms),
  );
  if ('tooMany' in answer) throw new ServiceError('groups_too_many', { max: answer.tooMany });
  const { groups, count, first, considered, failed, unknown } = answer;
  return {
    groups,
    outline: { count, first },
    considered,
    failed,
    unknown,
    warnings: warningsOf(ctx, 'aggregate', answer),
  };
}

/** The body of an aggregate whose cells come with their outlines: features have a geometry. Others, and what is no such body, stay. */
function withOutlines(body: unknown): unknown {
  const groups: unknown = (body as { readonly group_by?: unknown } | null)?.group_by;
  const cells = Array.isArray(groups) ? groups.filter(by => Object.hasOwn(Object(by), 'h3')) : [];
  return cells.length === 1 ? { ...(body as object), geometry: true } : body;
}

/** POST /v1/aggregate. */
export const aggregateOperation = defineOperation({
  ...SET_TERMS,
  id: 'aggregate',
  route: 'POST /v1/aggregate',
  summary: 'Parcels that pass every filter, in groups',
  description:
    'Counts, sums, means, extremes and quantiles by field, county, city, ZIP code, H3 cell or bins. In every group absent and failed values are counted apart, and small groups are called so. Free.',
  body: AggregateBodySchema,
  response: AggregateResponseSchema,
  errors: [...SET_TERMS.errors, 'groups_too_many'],
  answerBytes: () => ANSWER_BYTES,
  table: {
    source: body => ({ of: 'aggregate', request: body as GroupsRequest }),
    bodyFor: (format, body) => (format === 'geojson' ? withOutlines(body) : body),
  },
  example: ({ filters }) => ({ filters, group_by: ['city'], measures: [{ op: 'sum', field: 'acreage' }] }),
  tool: {
    tool: 'sets',
    operation: 'aggregate',
    says: 'sums, means, quantiles by city, cell, field or bins',
    takes: {
      group_by: Type.Array(Type.Unknown(), {
        description: 'aggregate: 0-3 of a name, "county", "city", "zip", {h3: 4-10}, {bins: name, edges: [numbers]}.',
      }),
      measures: Type.Array(Type.Unknown(), {
        description: 'aggregate: 1-20 of {op: count|sum|mean|min|max|quantile, field, q}.',
      }),
      min_count: Type.Integer(),
      stacked: Type.Boolean(),
    },
    text({ outline: { count, first }, considered, failed, warnings }) {
      const head = `${count} groups of ${considered} parcels; ${failed} failed.`;
      const lines = first.map(
        ({ key, count: parcels, small, measures }) =>
          `${valueText(key)}: ${parcels}${small ? ' (small)' : ''}; ${measures.map(({ value }) => valueText(value)).join('; ')}`,
      );
      return { lines: [head, ...warnings, ...lines], count: 1 + warnings.length + count };
    },
  },
  command: { name: 'aggregate', summary: 'Group the parcels of the current release that pass filters' },
  sql: 'aggregate',
  answer: aggregateMatches,
  written: aggregateText,
});
