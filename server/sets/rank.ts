import { Type } from 'typebox';
import type { Criterion } from '../../query/sets/rank.ts';
import { defineOperation } from '../operation/operation.ts';
import { valueText } from '../operation/value-text.ts';
import type { JsonObject } from '../search/body-reader.ts';
import { askSet, warningsOf } from './answer.ts';
import type { AreaCtx, SetServices } from './area-source.ts';
import { DEFAULT_RANKED, MAX_RANKED, MOST_CRITERIA, MOST_ORDERS } from './limits.ts';
import { RankBodySchema, RankResponseSchema } from './rank-schema.ts';
import type { SetReader } from './set-reader.ts';
import { SET_TERMS } from './terms.ts';

const NUMERIC = { kinds: ['number', 'integer'], called: 'numbers' } as const;

/** An answer: its matches are JSON text already. */
interface RankResponse {
  readonly matches: string;
  readonly considered: number;
  readonly absent: number;
  readonly failed: number;
  readonly unknown: number;
  readonly warnings: readonly string[];
}

/** The response as JSON text. */
const rankText = ({ matches, ...rest }: RankResponse): string =>
  `{"matches":${matches},${JSON.stringify(rest).slice(1)}`;

/** Bytes of a match with its criteria, about. */
const MATCH_BYTES = 2_000;

/** Estimates the bytes of an answer from a body that is not yet checked. */
function rankBytes(body: unknown): number {
  const { limit } = (body ?? {}) as { readonly limit?: unknown };
  return (typeof limit === 'number' ? Math.max(1, Math.min(MAX_RANKED, limit)) : DEFAULT_RANKED) * MATCH_BYTES;
}

function readOrder(reader: SetReader, body: JsonObject): Criterion[] {
  const given = reader.readObjects(body, 'order_by', MOST_ORDERS, ['field', 'direction']);
  return given.flatMap((each, i): Criterion[] => {
    if (!each) return [];
    const field = reader.readField(each.field, `order_by[${i}].field`);
    const direction = reader.readWord(each.direction, `order_by[${i}].direction`, ['asc', 'desc'] as const);
    return field && direction ? [{ ...field, direction, weight: 1, prefer: 'high' }] : [];
  });
}

function readPreference(reader: SetReader, prefer: unknown, path: string): Criterion['prefer'] | null {
  if (prefer === 'high' || prefer === 'low') return prefer;
  const { near } = (prefer ?? {}) as { readonly near?: unknown };
  if (typeof near === 'number' && Number.isFinite(near) && Object.keys(prefer as object).length === 1) return { near };
  reader.issues.say(path, 'Expected what is preferred.', 'Send "high", "low" or {"near": a number}.');
  return null;
}

function readScore(reader: SetReader, body: JsonObject): Criterion[] {
  const given = reader.readObjects(body, 'score', MOST_CRITERIA, ['field', 'weight', 'prefer']);
  return given.flatMap((each, i): Criterion[] => {
    if (!each) return [];
    const path = `score[${i}]`;
    const field = reader.readField(each.field, `${path}.field`, NUMERIC);
    const weight = reader.readNumber(each.weight, `${path}.weight`, number => number > 0, 'a number above 0');
    const prefer = readPreference(reader, each.prefer, `${path}.prefer`);
    return field && weight !== null && prefer ? [{ ...field, direction: 'desc', weight, prefer }] : [];
  });
}

/** Reads by what parcels are ranked: exactly one of two keys says so, and names each field once. */
function readCriteria(reader: SetReader, body: JsonObject) {
  const scored = Object.hasOwn(body, 'score');
  if (scored === Object.hasOwn(body, 'order_by'))
    reader.issues.say('body', 'Expected `order_by` or `score`, one of them.', scored ? 'Leave one out.' : 'Send one.');
  const criteria = scored ? readScore(reader, body) : Object.hasOwn(body, 'order_by') ? readOrder(reader, body) : [];
  if (new Set(criteria.map(({ name }) => name)).size < criteria.length)
    reader.issues.say(scored ? 'score' : 'order_by', 'A field is named twice.', 'Name each field once.');
  return { criteria, scored, limit: reader.readCount(body, 'limit', { usual: DEFAULT_RANKED, most: MAX_RANKED }) };
}

/**
 * POST /v1/rank: the first parcels of those that pass every filter, by fields in turn or by a score.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, search_unavailable, worker_stopped, and those of areaOf; AbortError when the client has gone.
 */
export async function rankMatches(ctx: AreaCtx, services: SetServices, body: unknown): Promise<RankResponse> {
  const ranked = await askSet(
    { ctx, services, body },
    (reader, read) => reader.readSet(read, ['order_by', 'score', 'fields', 'limit'], own => readCriteria(reader, own)),
    (engine, request, terms) => engine.rank(request, terms),
  );
  const { matches, considered, absent, failed, unknown } = ranked;
  return { matches, considered, absent, failed, unknown, warnings: warningsOf(ctx, 'ranking', ranked) };
}

/** POST /v1/rank. */
export const rankOperation = defineOperation({
  ...SET_TERMS,
  id: 'rank',
  route: 'POST /v1/rank',
  summary: 'The first parcels of those that pass every filter',
  description:
    'All parcels that pass are compared, by up to five fields in turn or by one score of up to ten; each match has the value of every criterion and its percentile among them. Absent values come last; parcels for which the calculation of a criterion failed are counted apart. Free.',
  body: RankBodySchema,
  response: RankResponseSchema,
  answerBytes: rankBytes,
  table: { source: () => ({ of: 'rank' }) },
  example: ({ filters }) => ({ filters, order_by: [{ field: 'acreage', direction: 'desc' }], limit: 3 }),
  tool: {
    tool: 'sets',
    operation: 'rank',
    says: 'the first by fields or by a weighted score',
    takes: {
      order_by: Type.Array(Type.Unknown(), { description: 'rank: 1-5 of {field, direction: asc|desc}.' }),
      score: Type.Array(Type.Unknown(), {
        description: 'rank, instead: 1-10 of {field, weight, prefer: "high"|"low"|{near: number}}.',
      }),
    },
    text({ matches, considered, absent, failed, warnings }) {
      const list = JSON.parse(matches) as { parcel_id: string; apn: string | null; criteria: object; score?: number }[];
      const head = `${list.length} of ${considered} parcels; ${absent} lack a criterion, ${failed} failed.`;
      const lines = list.map(
        ({ parcel_id: id, apn, score, criteria }, i) =>
          `${i + 1}. ${id} (${apn ?? 'without number'})${score === undefined ? '' : ` score ${score}`}: ${valueText(criteria)}`,
      );
      return { lines: [head, ...warnings, ...lines] };
    },
  },
  command: { name: 'rank', summary: 'Put the parcels of the current release that pass filters in order' },
  sql: 'rank',
  answer: rankMatches,
  written: rankText,
});
