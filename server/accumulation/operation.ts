import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import type { AccumulationRequest } from '../../query/accumulation/accumulation.ts';
import { namesText, nearestNames } from '../../query/format/name/nearest-names.ts';
import { termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { MOST_NAME_LETTERS } from '../exports/limits.ts';
import type { PlaceRow } from '../exports/place-row.ts';
import {
  defineOperation,
  type OperationCtx,
  type OperationServices,
  type UploadedRows,
} from '../operation/operation.ts';
import { chooseRelease } from '../release/choice.ts';
import { invalidSearch } from '../search/operation.ts';
import { endOf } from '../sets/answer.ts';
import { MOST_METRES } from '../sets/limits.ts';
import { SetReader } from '../sets/set-reader.ts';
import { SET_TERMS } from '../sets/terms.ts';
import {
  AccumulationBodySchema,
  type AccumulationResponse,
  AccumulationResponseSchema,
  DEFAULT_CIRCLES,
  MOST_CIRCLES,
} from './schema.ts';

/** Bytes of a circle in an answer, with an id of the caller's of some length. */
const CIRCLE_BYTES = 200;
/** Characters of an id. */
const MOST_LETTERS = 4_096;
/** Circles that a text tells of. */
const TOLD = 10;

const unavailable = (reason: string) => new ServiceError('search_unavailable', { reason });

/** A judged body. */
interface AccumulationQuestion {
  readonly uploadId: string;
  readonly value: string;
  readonly metres: number;
  readonly limit: number;
  readonly release: string | null;
}

/** Estimates the bytes of an answer from a body that is not yet checked. */
function accumulationBytes(body: unknown): number {
  const { limit } = (body ?? {}) as { readonly limit?: unknown };
  return (typeof limit === 'number' ? Math.max(1, Math.min(MOST_CIRCLES, limit)) : DEFAULT_CIRCLES) * CIRCLE_BYTES;
}

function readQuestion(reader: SetReader, given: unknown): AccumulationQuestion | null {
  const body = reader.read(given, ['upload_id', 'value', 'within_m', 'limit', 'release']);
  if (!body) return null;
  const { upload_id: uploadId, value, within_m: within } = body;
  const isText = (text: unknown, most: number) => typeof text === 'string' && text !== '' && text.length <= most;
  if (!isText(uploadId, MOST_LETTERS))
    reader.issues.say('upload_id', 'Expected the id of an upload.', 'POST /v1/uploads answers it.');
  if (!isText(value, MOST_NAME_LETTERS))
    reader.issues.say('value', 'Expected the name of a column.', `1 to ${MOST_NAME_LETTERS} characters.`);
  const metres = reader.readNumber(within, 'within_m', one => one >= 1 && one <= MOST_METRES, `1 to ${MOST_METRES}`);
  const limit = reader.readCount(body, 'limit', { usual: DEFAULT_CIRCLES, most: MOST_CIRCLES });
  const release = reader.readRelease(body);
  if (reader.issues.all.length > 0) return null;
  return { uploadId: String(uploadId), value: String(value), metres: metres!, limit, release };
}

/** The points of a portfolio with a value of each. */
interface Portfolio extends Pick<AccumulationRequest, 'lngLat' | 'values'> {
  readonly ids: readonly (string | null)[];
}

/** Reads a portfolio part after part, letting others between. */
async function readPortfolio({ rows, parts }: UploadedRows, column: string): Promise<Portfolio> {
  const lngLat = new Float64Array(2 * rows);
  const values = new Float64Array(rows).fill(Number.NaN);
  const ids: (string | null)[] = [];
  for await (const text of parts) {
    for (const { point, custom_id: id, values: own = {} } of JSON.parse(text) as PlaceRow[]) {
      lngLat.set(point!, 2 * ids.length);
      if (Object.hasOwn(own, column)) values[ids.length] = own[column]!;
      ids.push(id);
    }
    await setImmediate();
  }
  // Its rows may have been deleted meanwhile.
  if (ids.length !== rows) throw new ServiceError('upload_not_found');
  return { lngLat, values, ids };
}

/**
 * POST /v1/accumulation: sums of a caller's values within a distance of each point of a portfolio.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, upload_not_found, release_not_kept, search_unavailable, worker_stopped; AbortError when the client has gone.
 */
async function accumulated(
  ctx: OperationCtx,
  services: OperationServices,
  body: unknown,
): Promise<AccumulationResponse> {
  const reader = new SetReader(ctx.catalog, ctx.engine, services.maxVertices);
  const refuse = () => invalidSearch(reader.issues.all, ctx.requestId, reader.issues.more);
  const question = readQuestion(reader, body);
  if (!question) throw refuse();
  const { uploadId, value, metres, limit, release } = question;
  chooseRelease(ctx, { release });
  const upload = await services.upload(uploadId);
  if (!upload) throw new ServiceError('upload_not_found');
  if (upload.kind !== 'point') {
    const hint = 'Upload it with `lat` and `lng`; an export of it has them.';
    reader.issues.say('upload_id', `The rows name their places by ${upload.kind}.`, hint);
    throw refuse();
  }
  const { lngLat, values, ids } = await readPortfolio(upload, value);
  const without = values.reduce((count, one) => count + (Number.isNaN(one) ? 1 : 0), 0);
  if (without === values.length) {
    const nearest = nearestNames(value, upload.columns);
    const hint = nearest.length > 0 ? `Nearest: ${namesText(nearest)}.` : 'Plain numbers, without marks or units.';
    reader.issues.say('value', 'The upload has no column of that name that holds a number.', hint);
    throw refuse();
  }
  const total = values.reduce((sum, one) => sum + (Number.isNaN(one) ? 0 : one), 0);
  const answer = await ctx.engine
    .accumulation({ lngLat, values, metres, limit }, termsOf(ctx))
    .catch((error: unknown) => {
      throw engineRefusal(error, () => unavailable('all workers are busy and their queue is full'));
    });
  if ('uncounted' in answer) throw unavailable(answer.uncounted);
  const { sums, points } = answer;
  const circles = Array.from(answer.rows, (row, i) => ({
    row: row + 1,
    custom_id: ids[row]!,
    sum: sums[i]!,
    points: points[i]!,
    ...{ lat: lngLat[2 * row + 1]!, lng: lngLat[2 * row]! },
  }));
  return {
    rows: values.length,
    without_value: without,
    total,
    worst: circles[0] ?? null,
    circles,
    warnings: without > 0 ? [`${without} rows have no number in the column: they add nothing.`] : [],
    ...endOf(false, ctx.requestId),
  };
}

/** POST /v1/accumulation. */
export const accumulationOperation = defineOperation({
  ...SET_TERMS,
  id: 'accumulation',
  route: 'POST /v1/accumulation',
  summary: "Sums of a portfolio's values about each of its points",
  description:
    'For each point of an uploaded portfolio the sum of a column over all points within a geodesic distance, and the circle with the largest. Free.',
  body: AccumulationBodySchema,
  response: AccumulationResponseSchema,
  errors: ['search_invalid_request', 'search_unavailable', 'worker_stopped', 'upload_not_found', 'release_not_kept'],
  withoutState: false,
  answerBytes: accumulationBytes,
  example: () => ({ upload_id: '$UPLOAD_ID', value: 'tiv_usd', within_m: 250 }),
  needs: { UPLOAD_ID: { of: 'upload', property: 'upload_id', like: `upl_${'0'.repeat(32)}` } },
  tool: {
    tool: 'sets',
    operation: 'accumulation',
    says: "sums of an upload's values about each of its points",
    takes: {
      upload_id: Type.String({ description: 'accumulation' }),
      value: Type.String({ description: 'accumulation: its column.' }),
    },
    text({ rows, total, worst, circles, warnings }) {
      const lines = circles
        .slice(0, TOLD)
        .map(
          ({ row, custom_id: id, sum, points }) => `row ${row}${id === null ? '' : ` (${id})`}: ${sum} of ${points}`,
        );
      const head = `Of ${total} in ${rows} rows the worst circle holds ${worst?.sum ?? 0}.`;
      return { lines: [head, ...warnings, ...lines] };
    },
  },
  command: { name: 'accumulation', summary: 'Sum the values of a portfolio about each of its points' },
  page: 'docs/analysis.md',
  answer: accumulated,
});
