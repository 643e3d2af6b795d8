import { type TSchema, Type } from 'typebox';
import { AUTH_CODES } from '../errors/auth.ts';
import { ERRORS, type ErrorCode, type ErrorKind, exampleOf } from '../errors/registry.ts';
import { sending } from './header-schema.ts';

/** The error envelope. */
export const ErrorSchema = Type.Object(
  {
    detail: Type.Object(
      { error: Type.String(), message: Type.String(), retryable: Type.Boolean() },
      { additionalProperties: true },
    ),
  },
  { $id: 'Error', description: 'A refusal with its code, for programs, and a message for people.' },
);

/** The default 422 shape. */
export const ShapeSchema = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
        msg: Type.String(),
        type: Type.String(),
        input: Type.Unknown(),
        ctx: Type.Object({}, { additionalProperties: true }),
      }),
    ),
  },
  { $id: 'ShapeError', description: 'A request of the wrong shape: all its faults, each with its place.' },
);

/** Codes that any endpoint can answer, because they are raised before a route is found. */
const ANY_CODES = ['malformed_request', 'request_timeout', 'headers_too_large'] as const satisfies readonly ErrorCode[];

/** Codes that any endpoint with a token and a JSON body can answer. */
export const BODY_CODES = [
  ...AUTH_CODES,
  'rate_limited',
  'state_unavailable',
  'worker_stopped',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[];

/**
 * Makes the response schemas, by status, of the error codes that an endpoint raises and of those that any endpoint can
 * raise. Each has an example.
 * @param shape whether a body of the wrong shape is possible (422 in the default shape).
 * @param elsewhere codes that this endpoint answers with another status than the one in the registry.
 */
export function errorResponses(
  raised: readonly ErrorCode[],
  shape = false,
  elsewhere: Readonly<Partial<Record<ErrorCode, number>>> = {},
): Record<number, TSchema> {
  const codes = [...raised, ...ANY_CODES];
  const statusOf = (code: ErrorCode): number => elsewhere[code] ?? ERRORS[code].status;
  const responses: Record<number, TSchema> = {};
  const statuses = new Set<number>(codes.map(statusOf));
  if (shape) statuses.add(422);
  for (const status of [...statuses].sort((a, b) => a - b)) {
    const mine = codes.filter(code => statusOf(code) === status);
    const lines = mine.map(code => `\`${code}\`: ${ERRORS[code].meaning}`);
    const alternatives: TSchema[] = mine.length > 0 ? [Type.Ref('Error#')] : [];
    if (shape && status === 422) {
      alternatives.push(Type.Ref('ShapeError#'));
      lines.push('A list under `detail`: the body has the wrong shape.');
    }
    const union = Type.Union(alternatives, { description: lines.join('\n\n'), examples: mine.map(exampleOf) });
    const retried = mine.some(code => (ERRORS[code] as ErrorKind).retryAfter !== undefined);
    responses[status] = sending(
      union,
      ...(retried ? (['Retry-After'] as const) : []),
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    );
  }
  return responses;
}
