import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../errors/registry.ts';
import { freeWithResponse } from '../http/sending.ts';
import type { TableSource } from './answer-table.ts';
import { type Format, MEDIA_TYPES } from './format.ts';
import type { FormatThreads } from './format-threads.ts';

/** What routes need whose answers have other formats than JSON too. */
export interface FormatServices {
  readonly formats: FormatThreads;
}

const JSON_MEDIA = 'application/json';
/** JSON first: of equals it is preferred. */
const ACCEPTED = [JSON_MEDIA, ...Object.values(MEDIA_TYPES)];
const FORMATS = new Map(Object.entries(MEDIA_TYPES).map(([format, type]) => [type as string, format as Format]));
/** Parameters of media types but their weight: `charset=utf-8` asks for nothing else. */
const PARAMETERS = /;\s*(?!q\s*=)[^;,]*/gi;

/**
 * The format that a request asks for by `Accept` (RFC 9110, 12.5.1); null for JSON.
 * @throws ServiceError not_acceptable when it takes none of those that there are.
 */
export function formatOf({ headers }: FastifyRequest): Format | null {
  const accept = headers.accept?.replace(PARAMETERS, '').trim();
  if (!accept) return null;
  const type = new Negotiator({ headers: { accept } }).mediaType(ACCEPTED);
  if (type === undefined)
    throw new ServiceError('not_acceptable', { accepted: ACCEPTED.join(', ') }, { accepted: ACCEPTED });
  return FORMATS.get(type) ?? null;
}

/** Adds the other formats to the schema of an answer. */
export function inFormats(schema: TSchema): TSchema {
  const { headers, ...body } = schema as TSchema & { readonly headers?: object };
  const file = { schema: Type.String() };
  return {
    description: 'JSON, or the same as a table by `Accept`.',
    ...(headers ? { headers } : {}),
    content: {
      [JSON_MEDIA]: { schema: body },
      ...Object.fromEntries(Object.values(MEDIA_TYPES).map(type => [type, file])),
    },
  } as unknown as TSchema;
}

/** Sends an answer in a format. @param json its body, which is not read again. */
export async function sendFormat(
  reply: FastifyReply,
  { formats }: FormatServices,
  format: Format,
  { source, json }: { readonly source: TableSource; readonly json: string | Buffer },
): Promise<FastifyReply> {
  const body = Buffer.from(json as string);
  if (typeof json !== 'string') freeWithResponse(json, reply.raw);
  const bytes = await formats.write({ format, source, body });
  const vary = reply.getHeader('vary');
  const type = MEDIA_TYPES[format];
  return reply
    .header('vary', vary === undefined ? 'Accept' : `${vary}, Accept`)
    .type(format === 'csv' ? `${type}; charset=utf-8; header=present` : type)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
