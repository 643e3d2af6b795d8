import { ANSWER_ERRORS } from './answers.ts';
import { ASK_ERRORS } from './ask.ts';
import { AUTH_ERRORS } from './auth.ts';
import { CHANGES_ERRORS } from './changes.ts';
import { CORRECTION_ERRORS } from './corrections.ts';
import { DEVICE_ERRORS } from './device.ts';
import type { ErrorKind } from './error-kind.ts';
import { EXPORT_ERRORS } from './exports.ts';
import { FIELD_REQUEST_ERRORS } from './field-requests.ts';
import { GEOCODE_ERRORS } from './geocode.ts';
import { HTTP_ERRORS } from './http.ts';
import { LIST_ERRORS } from './lists.ts';
import { LOOKUP_ERRORS } from './lookup.ts';
import { OGC_ERRORS } from './ogc.ts';
import { ONBOARDING_ERRORS } from './onboarding.ts';
import { OPERATOR_ERRORS } from './operator.ts';
import { PROXIMITY_ERRORS } from './proximity.ts';
import { RECEIPT_ERRORS } from './receipts.ts';
import { RUN_ERRORS } from './runs.ts';
import { SEARCH_ERRORS } from './search.ts';
import { SITE_ERRORS } from './sites.ts';
import { SITING_ERRORS } from './siting.ts';
import { STATE_ERRORS } from './state.ts';
import { SUGGEST_ERRORS } from './suggest.ts';
import { TILE_ERRORS } from './tiles.ts';
import { TOKEN_ERRORS } from './tokens.ts';
import { WATCH_ERRORS } from './watches.ts';

export type { ErrorKind } from './error-kind.ts';

/** Every error code the service raises. Nothing else may name one: `docs/errors.md` is generated from this table. */
export const ERRORS = {
  coord_out_of_bounds: {
    status: 400,
    message:
      'The coordinate lat {lat}, lng {lng} is outside the United States: expected lat 18 to 72 with lng -180 to -65, or lat 51 to 54 with lng 172 to below 180{hint}.',
    retryable: false,
    meaning: 'The point lies outside both supported regions. Check the order of lat and lng, and the sign of lng.',
    example: { lat: -68.77, lng: 44.8, hint: '; lat and lng seem to be swapped' },
    origin: 'spec',
  },
  no_fields_requested: {
    status: 400,
    message: 'Nothing was asked for: send `fields` (catalog names), `preset`, or both. GET /v1/meta/fields lists them.',
    retryable: false,
    meaning: 'Neither `fields` nor `preset` names anything. An empty `fields` list counts as not given.',
    origin: 'spec',
  },
  fields_unknown: {
    status: 400,
    message: 'No fields of this endpoint: {names}. GET /v1/meta/fields lists every name with its `surfaces`.',
    retryable: false,
    meaning:
      'At least one name is not in the catalog, or not among what the endpoint answers; `fields_unknown` lists all of them, each once. `suggestions` gives for the first ten of them the three nearest names of the endpoint, and the endpoints that know the very name; `elsewhere` is a name of other endpoints that is more like it.',
    example: { names: '"zoning" (a name of POST /v1/enrich and POST /v1/search; nearest: `parcel_zoning`)' },
    exampleContext: {
      fields_unknown: ['zoning'],
      suggestions: [{ name: 'zoning', nearest: ['parcel_zoning'], known_by: ['POST /v1/enrich', 'POST /v1/search'] }],
    },
    origin: 'spec',
  },
  fields_too_many: {
    status: 400,
    message: '{requested} fields were requested and at most {max} are answered at once: split the request.',
    retryable: false,
    meaning: 'More than 50 different fields after preset expansion; `max` and `requested` give both numbers.',
    example: { requested: 51, max: 50 },
    exampleContext: { max: 50, requested: 51 },
    origin: 'spec',
  },
  invalid_locator: {
    status: 422,
    message: 'Expected exactly one location, either `lat` and `lng` or `address`, but {found}.',
    retryable: false,
    meaning: 'Both forms, neither, or half a coordinate was sent. A null counts as not sent.',
    example: { found: '`lng` is missing' },
    origin: 'spec',
  },
  ...AUTH_ERRORS,
  ...TOKEN_ERRORS,
  ...OPERATOR_ERRORS,
  ...TILE_ERRORS,
  ...SUGGEST_ERRORS,
  ...OGC_ERRORS,
  ...ONBOARDING_ERRORS,
  ...DEVICE_ERRORS,
  ...RUN_ERRORS,
  ...EXPORT_ERRORS,
  ...SITE_ERRORS,
  ...FIELD_REQUEST_ERRORS,
  ...CORRECTION_ERRORS,
  fetch_busy: {
    status: 429,
    message: 'All workers are busy and their queue is full: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 1,
    meaning: 'Overload. Nothing was computed; wait and send it again. In a batch it is the entry of a location.',
    origin: 'spec',
  },
  credits_exhausted: {
    status: 402,
    message: '{what} needed: {required}; {remaining} of {limit} are left {whose}. They are renewed at {resets}.',
    retryable: true,
    retryAfter: 'at `resets_at`, as an HTTP-date',
    meaning:
      'The request would pass the plan allowance or the limit the account set itself, which is then in `self_imposed_limit` (otherwise null). Nothing was computed or charged. In a batch it refuses the whole request only when not one location fits; otherwise the locations that do not fit are entries with this code. Wait for the reset or change plan or limit. An export whose rows pass those of the day says so with `rows_required`, `rows_a_day` and `rows_used`.',
    example: {
      what: 'Credits',
      required: 301,
      remaining: 12,
      limit: 1_000,
      whose: 'on plan free',
      resets: '2026-12-01T00:00:00.000Z',
    },
    exampleContext: {
      plan: 'free',
      credits_required: 301,
      credits_included: 1_000,
      credits_used: 988,
      credits_remaining: 12,
      self_imposed_limit: null,
      resets_at: '2026-12-01T00:00:00.000Z',
    },
    origin: 'spec',
  },
  rate_limited: {
    status: 429,
    message: '{what}: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 'when the minute is over; after 1 s where too many are under way, after 30 s where too many wait',
    meaning:
      "The account's requests of this minute are used up (plans differ, GET /v1/meta/plans; quotes, replays and refused requests count too), or so many of it are under way (PLAT_ACCOUNT_REQUESTS), or of requests without a token from its address (PLAT_ADDRESS_REQUESTS). Or a new run or site would wait behind so many others of the account (docs/plans.md); one that was accepted before is still answered. A client that goes on anyway gets this answer a second later.",
    example: { what: 'More than 60 requests in a minute' },
    origin: 'spec',
  },
  batch_in_progress: {
    status: 409,
    message: 'A batch with this Idempotency-Key is running: send the same request again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 2,
    meaning:
      'A retry came before the first request was done. Repeat it with the same key: once the first is done it gets that result, and if its server died it is executed.',
    origin: 'spec',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This idempotency key was used with another body: use a new key.',
    retryable: false,
    meaning:
      'Keys belong to an account and an endpoint and name one request there: an Idempotency-Key for 24 hours, the `idempotency_key` of a field request for good. The order of keys in the body does not make it another one.',
    origin: 'spec',
  },
  ...GEOCODE_ERRORS,
  ...LOOKUP_ERRORS,
  ...ANSWER_ERRORS,
  ...ASK_ERRORS,
  ...PROXIMITY_ERRORS,
  location_failed: {
    status: 500,
    message: 'An unforeseen fault ended the work on this location; it costs nothing.',
    retryable: true,
    retryAfter: 1,
    meaning: 'Only as the entry of a batch location, where a single fetch is a plain 500. The other locations go on.',
    origin: 'plat',
  },
  ...SEARCH_ERRORS,
  ...CHANGES_ERRORS,
  ...RECEIPT_ERRORS,
  ...SITING_ERRORS,
  ...WATCH_ERRORS,
  ...LIST_ERRORS,
  ...STATE_ERRORS,
  ...HTTP_ERRORS,
  not_ready: {
    status: 503,
    message: 'Not ready to answer: {reason}.',
    retryable: true,
    retryAfter: 2,
    meaning:
      'Only GET /readyz: there is no published release, workers are still starting, or the state store does not answer.',
    example: { reason: '1 of 2 workers are ready' },
    exampleContext: { release: null, datasets: {}, workers: { size: 2, ready: 1 } },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** The error envelope every endpoint answers with, apart from shape failures. */
interface ErrorBody {
  readonly detail: {
    readonly error: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly [context: string]: unknown;
  };
}

/** The names between braces in a message. */
type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Tail}`
  ? Name | Placeholder<Tail>
  : never;
/** A value for each name in the message of a code. */
type Filling<Code extends ErrorCode> = Readonly<Record<Placeholder<(typeof ERRORS)[Code]['message']>, string | number>>;
/** What the constructor takes beside the code. A message with placeholders cannot do without its parameters. */
type Details<Code extends ErrorCode> =
  Placeholder<(typeof ERRORS)[Code]['message']> extends never
    ? [parameters?: Readonly<Record<string, never>>, ...Rest]
    : [parameters: Filling<Code>, ...Rest];
type Rest = [context?: Readonly<Record<string, unknown>>, retryAfter?: number | Date | null];

/** The message of a code, its `{name}` placeholders filled. */
const messageOf = (code: ErrorCode, parameters: Readonly<Record<string, string | number>>): string =>
  ERRORS[code].message.replace(/\{(\w+)\}/g, (_, name: string) => String(parameters[name] ?? ''));

const bodyOf = (
  code: ErrorCode,
  message: string,
  context: Readonly<Record<string, unknown>>,
  retryable: boolean = ERRORS[code].retryable,
): ErrorBody => ({ detail: { error: code, message, retryable, ...context } });

/** A refusal with a registered code, raised by operations and turned into HTTP (or a batch entry) by whoever called. */
export class ServiceError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Further keys of the envelope, beside error, message and retryable. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Seconds, or the moment, to wait for; undefined when waiting does not help. */
  readonly retryAfter: number | Date | undefined;
  /** Whether asking again can help: as the registry says, unless this one says that it cannot. */
  readonly retryable: boolean;

  /**
   * @param code an entry of the registry.
   * @param details parameters that fill the `{name}` placeholders of its message, further keys of the envelope, and
   * `retryAfter` where the registry has only words for it; null where asking again cannot help this time.
   */
  constructor(code: Code, ...[parameters = {}, context = {}, retryAfter]: Details<Code>) {
    super(messageOf(code, parameters));
    this.code = code;
    this.context = context;
    const fixed: ErrorKind['retryAfter'] = this.kind.retryAfter;
    this.retryable = this.kind.retryable && retryAfter !== null;
    this.retryAfter = retryAfter === undefined && typeof fixed === 'number' ? fixed : (retryAfter ?? undefined);
  }

  get kind(): ErrorKind {
    return ERRORS[this.code];
  }

  /** The JSON body of this error. */
  get body(): ErrorBody {
    return bodyOf(this.code, this.message, this.context, this.retryable);
  }
}

/** What a body with this code looks like. */
export function exampleOf(code: ErrorCode): ErrorBody {
  const kind: ErrorKind = ERRORS[code];
  return bodyOf(code, messageOf(code, kind.example ?? {}), kind.exampleContext ?? {});
}

/** The text of docs/errors.md. */
export function renderErrors(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const retry = ({ retryAfter }: ErrorKind) =>
    typeof retryAfter === 'number'
      ? `yes, after ${retryAfter} s`
      : retryAfter === undefined
        ? 'no'
        : `yes, ${retryAfter}`;
  const table = (origin: ErrorKind['origin']) =>
    (Object.entries(ERRORS) as [string, ErrorKind][])
      .filter(([, kind]) => kind.origin === origin)
      .map(([code, kind]) => `| \`${code}\` | ${kind.status} | ${retry(kind)} | ${cell(kind.meaning)} |`)
      .join('\n');
  const head = '| Code | HTTP | Retry | Meaning |\n|---|---|---|---|';
  return `# Error codes

<!-- Generated from server/errors/registry.ts by \`make docs\`; do not edit. -->

## Three shapes

1. A refusal with a code is \`{"detail": {"error": code, "message": text, "retryable": boolean, …}}\`. Codes that can be tried again send \`Retry-After\` in seconds (\`credits_exhausted\` as an HTTP-date). Follow \`retryable\` rather than the status.
2. A body of the wrong shape is 422 with a list under \`detail\`, without a code.
3. A wrong search or question about a set (\`search_invalid_request\`) has the code of the first shape, and what is wrong under \`detail.issues\`: \`{"path", "description", "hint"}\`. A wrong field request (\`invalid_payload\`) and a wrong proximity request (\`invalid_request\`) have a list like that of the second shape under \`detail.errors\`.

Every answer carries \`X-Request-ID\`. \`detail\` is a list in the second shape alone: look at that first.

A body of the wrong shape (malformed JSON, half of a surrogate pair in a text, an unknown key, a wrong type) is 422 with a list instead: \`{"detail": [{"loc": ["body", "lat"], "msg": "Input should be a valid number", "type": "float_type", "input": "12", "ctx": {}}]}\`. At most 50 wrong values are listed, and all unknown keys (up to 1,000). \`ctx.suggestions\` names what may be meant instead of an unknown key, a preset or another listed value; \`ctx.known_by\` the endpoints that have the preset.

Order of judgment: authentication, requests a minute, whether the endpoint needs a session (\`auth_method_not_allowed\`), shape, locator (\`invalid_locator\`), fields (\`no_fields_requested\`, \`fields_unknown\`, \`fields_too_many\`), place (\`coord_out_of_bounds\`, \`address_form_unsupported\`), Idempotency-Key (\`idempotency_key_reused\`, \`batch_in_progress\`), credits (\`credits_exhausted\`), then what resolving an address finds (\`address_*\`, \`geocode_*\`, and \`coord_out_of_bounds\` where it lies outside).

In a batch, faults of one location (\`coord_out_of_bounds\`, \`address_*\`, \`geocode_*\`, \`fetch_busy\`, \`worker_stopped\`, \`credits_exhausted\`, \`location_failed\`) are entries \`{"index", "ok": false, "error": {"error", "message", "retryable"}}\` of a 200.

A source that fails for one field is not an error: the response is 200, the field has status \`failed\` and is listed in \`partial_failures\`. An unforeseen fault is a plain 500 without this body.

## Codes of the service interface

${head}
${table('spec')}

## Codes it leaves open

${head}
${table('plat')}
`;
}
