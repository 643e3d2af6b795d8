import type { SetField } from '../../query/sets/column-values.ts';
import { ServiceError } from '../errors/registry.ts';
import { defineOperation } from '../operation/operation.ts';
import { valueText } from '../operation/value-text.ts';
import type { JsonObject } from '../search/body-reader.ts';
import { askSet, endOf, warningsOf } from './answer.ts';
import type { AreaCtx, SetServices } from './area-source.ts';
import { DEFAULT_ALIKE, MAX_ALIKE, MOST_FIELDS } from './limits.ts';
import type { SetReader } from './set-reader.ts';
import { SimilarBodySchema, SimilarResponseSchema } from './similar-schema.ts';
import { SET_TERMS } from './terms.ts';

const ORDERED = { kinds: ['number', 'integer', 'date', 'timestamp'], called: 'numbers or dates' } as const;

/** An answer: its matches are JSON text already. */
interface SimilarResponse extends ReturnType<typeof endOf> {
  readonly matches: string;
  readonly parcel: { readonly parcel_id: string; readonly fields: object };
  readonly considered: number;
  readonly absent: number;
  readonly failed: number;
  readonly unknown: number;
  readonly warnings: readonly string[];
}

/** The response as JSON text. */
const similarText = ({ matches, ...rest }: SimilarResponse): string =>
  `{"matches":${matches},${JSON.stringify(rest).slice(1)}`;

/** Bytes of a match with its fields, about. */
const MATCH_BYTES = 3_000;

/** Estimates the bytes of an answer from a body that is not yet checked. */
function similarBytes(body: unknown): number {
  const { limit } = (body ?? {}) as { readonly limit?: unknown };
  return (typeof limit === 'number' ? Math.max(1, Math.min(MAX_ALIKE, limit)) : DEFAULT_ALIKE) * MATCH_BYTES;
}

/** Reads the fields by which parcels are likened, each once. */
function readCompared(reader: SetReader, { fields }: JsonObject): SetField[] {
  if (!Array.isArray(fields) || fields.length === 0 || fields.length > MOST_FIELDS) {
    reader.issues.say('fields', 'Expected a list of names.', `Send 1 to ${MOST_FIELDS}.`);
    return [];
  }
  const read = fields.flatMap((name: unknown, i) => reader.readField(name, `fields[${i}]`, ORDERED) ?? []);
  if (new Set(read.map(({ name }) => name)).size < read.length)
    reader.issues.say('fields', 'A field is named twice.', 'Name each field once.');
  return read;
}

/**
 * POST /v1/similar: of the parcels that pass every filter those most like one.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, parcel_not_found, search_unavailable, worker_stopped, and those of areaOf; AbortError
 * when the client has gone.
 */
async function similarMatches(ctx: AreaCtx, services: SetServices, body: unknown): Promise<SimilarResponse> {
  let id = '';
  const alike = await askSet(
    { ctx, services, body },
    (reader, read) =>
      reader.readSet(
        read,
        ['parcel_id', 'fields', 'limit'],
        own => {
          id = reader.readParcelId(own) ?? '';
          const limit = reader.readCount(own, 'limit', { usual: DEFAULT_ALIKE, most: MAX_ALIKE });
          return { parcelId: id, fields: readCompared(reader, own), limit };
        },
        false,
      ),
    (engine, request, terms) => engine.similar(request, terms),
  );
  if ('missing' in alike) throw new ServiceError('parcel_not_found');
  const { matches, own, considered, absent, failed, unknown, unread } = alike;
  return {
    matches,
    parcel: { parcel_id: id, fields: own },
    considered,
    absent,
    failed,
    unknown,
    warnings: warningsOf(ctx, 'answer', alike),
    ...endOf(unread, ctx.requestId),
  };
}

/** POST /v1/similar. */
export const similarOperation = defineOperation({
  ...SET_TERMS,
  id: 'similar',
  route: 'POST /v1/similar',
  summary: 'The parcels most like one',
  description:
    'Of the parcels that pass every filter those that differ least from a parcel, by fields of your choice: each difference is told in standard deviations among them. Free.',
  body: SimilarBodySchema,
  response: SimilarResponseSchema,
  answerBytes: similarBytes,
  example: ({ filters }) => ({ parcel_id: '$PARCEL_ID', fields: ['acreage'], filters, limit: 3 }),
  needs: { PARCEL_ID: { of: 'rank', property: 'parcel_id', like: 'pcl_1' } },
  tool: {
    tool: 'sets',
    operation: 'similar',
    says: 'parcels like one by fields',
    text({ matches, considered, absent, failed, warnings }) {
      const list = JSON.parse(matches) as { parcel_id: string; apn: string | null; distance: number; fields: object }[];
      const head = `${list.length} of ${considered} parcels; ${absent} lack a field, ${failed} failed.`;
      const lines = list.map(
        ({ parcel_id: id, apn, distance, fields }, i) =>
          `${i + 1}. ${id} (${apn ?? 'without number'}) at ${distance}: ${valueText(fields)}`,
      );
      return { lines: [head, ...warnings, ...lines] };
    },
  },
  command: { name: 'similar', summary: 'Find the parcels of the current release most like one' },
  sql: 'similar',
  page: 'docs/analysis.md',
  answer: similarMatches,
  written: similarText,
});
