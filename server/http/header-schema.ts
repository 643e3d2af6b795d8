import type { TSchema } from 'typebox';

/** Every response header that the API description names, as OpenAPI header objects. */
export const HEADERS = {
  'X-Request-ID': {
    description:
      "The caller's own id when it sent one of 1 to 128 characters of `A-Za-z0-9._:-`, otherwise a new UUID.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
  },
  'Retry-After': {
    description: 'With every code that can be tried again: seconds to wait, for `credits_exhausted` an HTTP-date.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description:
      'The challenge `Bearer`, with `error="invalid_token"` for `auth_invalid`, `auth_expired` and `auth_revoked`.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'A strong tag of this content: send it as `If-None-Match` to revalidate a copy.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Service-Run-Credits': {
    description: 'Credits that a run was charged. It comes once the run has ended.',
    schema: { type: 'string' },
  },
  'X-Service-Credits': {
    description:
      'Credits that this request was charged; 0 where nothing of it is charged. Only where credits are metered.',
    schema: { type: 'string' },
  },
  'X-Service-Credits-Remaining': {
    description:
      'Credits of the plan that are left of the month after it. Credits that running requests reserve count as used.',
    schema: { type: 'string' },
  },
  'X-Service-Release': {
    description: 'The release that the answer came from. A stored answer names its own.',
    schema: { type: 'string', examples: ['20261120-ab12cd34'] },
  },
  'X-Service-Receipt': {
    description:
      'The id of the receipt of this answer, which GET /v1/receipts/{receipt_id} reads. It comes with JSON where the request has `X-Service-Receipt: 1`.',
    schema: { type: 'string', examples: ['rcpt_abcdefghijklmnopqrstuvwxyz'] },
  },
  RateLimit: {
    description:
      'Requests left in the present window and seconds until it ends, as `"minute";r=59;t=30` (draft-ietf-httpapi-ratelimit-headers-11). A request that counts against several limits has an item of each.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'Requests that a window allows and its seconds, as `"minute";q=60;w=60`: `minute` of the plan, `suggestions` and `revocations` of their own endpoints, `second` of an address without a token, `guests`, `guest-tokens` and `guest-suggestions` of a guest.',
    schema: { type: 'string' },
  },
  'X-Service-Notice': {
    description:
      'What the filters of a search that has come to its end could not tell: columns without any value, texts that no parcel has. In ASCII, other characters as in JSON.',
    schema: { type: 'string' },
  },
  'X-Service-Next-Cursor': {
    description: '`next_cursor` of a page of matches that is not JSON. Without it there is no known continuation.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'How long a copy may be used without asking again.',
    required: true,
    schema: { type: 'string' },
  },
} as const;

/** Adds response headers to a response schema. X-Request-ID comes with every response and is always added. */
export function sending(schema: TSchema, ...names: readonly (keyof typeof HEADERS)[]): TSchema {
  const { headers } = schema as { readonly headers?: object };
  return { ...schema, headers: { ...headers, ...Object.fromEntries(names.map(name => [name, HEADERS[name]])) } };
}

/** Adds the headers that say what a request was charged. */
export const metered = (schema: TSchema): TSchema =>
  sending(schema, 'X-Service-Credits', 'X-Service-Credits-Remaining');

/** Adds the headers of an answer about places: its release and, where it was asked for, its receipt. */
export const ofRelease = (schema: TSchema): TSchema => sending(schema, 'X-Service-Release', 'X-Service-Receipt');

/** Whether the answers of a route with a status have a header. */
export function hasHeader(
  schema: { readonly response?: unknown } | undefined,
  status: number,
  name: keyof typeof HEADERS,
): boolean {
  const answers = schema?.response as Readonly<Record<number, { readonly headers?: object }>> | undefined;
  return Object.hasOwn(answers?.[status]?.headers ?? {}, name);
}
