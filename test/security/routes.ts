import { groundOf } from '../../server/docs/page/example-bodies.ts';
import { TERMS as OWN_TERMS, sha256Of } from '../../server/onboarding/terms.ts';
import { sampleOf } from '../../server/operation/operation.ts';
import { OPERATIONS } from '../../server/operations/registry.ts';
import { square } from '../server/sites/site-shapes.ts';

/** Who may call an operation: anybody without a token, accounts by token or session, accounts by session alone. */
export type Callers = 'anybody' | 'accounts' | 'sessions';

/** What the tests of this folder know of an operation. */
export interface RouteEntry {
  readonly callers: Callers;
  /** A body that is answered, without the id of an object. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body that is no JSON. */
  readonly file?: { readonly type: string; readonly text: string };
  /** For operations that name an object of an account: the operation that makes one, and what others than its owner get. */
  readonly object?: {
    readonly made: string;
    readonly code: string;
    /** Asks for it, and has its id in the answer. */
    readonly header?: string;
  };
  /** Values of what stands in the path beside ids. */
  readonly params?: Readonly<Record<string, string>>;
  /** What stands behind the path of a good request, with its question mark. */
  readonly query?: string;
  /** Goes on for as long as somebody listens, so that nobody whose object it is asks. */
  readonly endless?: boolean;
  /** A guest may call it with that body and query, where guests are let in. */
  readonly guests?: boolean;
  /** It is asked with every key that somebody types: it counts against a limit of its own. */
  readonly typing?: boolean;
  /** It takes credentials back, or lists those that can be: it counts against a limit of its own. */
  readonly revokes?: boolean;
  /** It ends the session that asks, so each call of it has one of its own. */
  readonly ends?: boolean;
  /** Status of a good request where it is not of the 200s. */
  readonly good?: number;
  /** Codes for credentials that are let in otherwise, by their name in credentials.ts. */
  readonly refuses?: Readonly<Record<string, string>>;
}

const POINT = { lat: 44.8, lng: -68.77 };
export const ADDRESS = '73 Harlow St, Bangor, ME';
const QUESTION = 'What is the elevation?';
const MAINE = [{ field: 'state', op: 'eq', value: 'ME' }];
const WATCH = { fields: ['elevation'], callback: { email: 'someone@example.org' } };
const BATCH = { locations: [POINT], fields: ['elevation'] };
const REQUEST = { description: 'The age of the sewers', example_locations: [POINT] };
const [FROM, TO] = [{ origin: POINT }, { destinations: [POINT] }];
const { version, text } = OWN_TERMS.at(-1)!;
const TERMS = { terms_version: version, terms_sha256: sha256Of(text) };
const RULES = [{ to: [POINT], within_minutes: 9 }];
const PROGRESS = { stage: 'installed', clients: ['an editor'], skill_installed: true };
const attempt = { made: 'POST /v1/users/me/onboarding', code: 'onboarding_attempt_not_found' };
const token = { made: 'POST /v1/users/me/tokens', code: 'token_not_found' };
const grant = { made: 'POST /v1/users/me/tokens', code: 'grant_not_found' };
const site = { made: 'POST /v1/sites', code: 'site_not_found' };
const run = { made: 'POST /v1/runs', code: 'run_not_found' };
const receipt = { made: 'POST /v1/fetch', code: 'receipt_not_found', header: 'x-service-receipt' };
const correction = { made: 'POST /v1/corrections', code: 'correction_not_found' };
const CORRECTION = { ...POINT, field: 'elevation', value: 17, evidence: { note: 'A surveyor measured it.' } };
const exported = { made: 'POST /v1/exports', code: 'export_not_found' };
const uploaded = { made: 'POST /v1/uploads', code: 'upload_not_found' };
const EXPORT = { fields: ['elevation'], format: 'csv' };
const watch = { made: 'POST /v1/watches', code: 'watch_not_found' };
const fieldRequest = { made: 'POST /v1/field-requests', code: 'field_request_not_found' };

/** Operations that declare themselves, with their examples. */
const DECLARED: Readonly<Record<string, RouteEntry>> = Object.fromEntries(
  OPERATIONS.map(operation => [
    operation.route,
    { callers: 'accounts', body: sampleOf(operation, groundOf(null)), typing: operation.rate === 'typing' },
  ]),
);

/** Every other operation of the OpenAPI document, one a line: a new one without an entry fails the tests of this folder. */
export const ROUTES: Readonly<Record<string, RouteEntry>> = {
  'GET /healthz': { callers: 'anybody' },
  'GET /readyz': { callers: 'anybody' },
  'GET /v1/openapi.json': { callers: 'anybody' },
  'GET /v1/meta/coverage': { callers: 'anybody' },
  'GET /v1/meta/fields': { callers: 'anybody' },
  'GET /v1/meta/plans': { callers: 'anybody' },
  'GET /v1/meta/quantiles': { callers: 'anybody' },
  'GET /v1/meta/scorecard': { callers: 'anybody' },
  'GET /v1/receipts/{receipt_id}': { callers: 'accounts', object: receipt },
  'POST /v1/corrections': { callers: 'accounts', body: CORRECTION },
  'GET /v1/corrections': { callers: 'accounts' },
  'GET /v1/corrections/{correction_id}': { callers: 'accounts', object: correction },
  'GET /v1/changes': { callers: 'accounts', query: '?since=20260101-00000000' },
  // The engine of these tests holds no layers.
  'GET /v1/ogc': { callers: 'accounts' },
  'GET /v1/ogc/conformance': { callers: 'accounts' },
  'GET /v1/ogc/collections': { callers: 'accounts' },
  'GET /v1/ogc/collections/{collectionId}': {
    callers: 'accounts',
    params: { collectionId: 'parcels', featureId: 'x' },
    good: 404,
  },
  'GET /v1/ogc/collections/{collectionId}/queryables': {
    callers: 'accounts',
    params: { collectionId: 'parcels', featureId: 'x' },
    good: 404,
  },
  'GET /v1/ogc/tiles': { callers: 'accounts' },
  'GET /v1/ogc/tileMatrixSets': { callers: 'accounts' },
  'GET /v1/ogc/tiles/{tileMatrixSetId}': { callers: 'accounts', params: { tileMatrixSetId: 'WebMercatorQuad' } },
  'GET /v1/ogc/tileMatrixSets/{tileMatrixSetId}': {
    callers: 'accounts',
    params: { tileMatrixSetId: 'WebMercatorQuad' },
  },
  'GET /v1/ogc/collections/{collectionId}/items': {
    callers: 'accounts',
    params: { collectionId: 'parcels', featureId: 'x' },
    good: 404,
  },
  'GET /v1/ogc/collections/{collectionId}/items/{featureId}': {
    callers: 'accounts',
    params: { collectionId: 'parcels', featureId: 'x' },
    good: 404,
  },
  'POST /v1/fetch': { callers: 'accounts', body: { ...POINT, fields: ['elevation'] }, guests: true },
  'POST /v1/fetch/batch': { callers: 'accounts', body: BATCH },
  'POST /v1/fetch/quote': { callers: 'accounts', body: { fields: ['elevation'], locations: 2 } },
  'POST /v1/geocode': { callers: 'accounts', body: { address: ADDRESS } },
  'POST /v1/lookup': { callers: 'accounts', body: { input: '44.8,-68.77' } },
  'POST /v1/enrich': { callers: 'accounts', body: { ...POINT, preset: 'zoning' }, guests: true },
  'GET /v1/suggest': { callers: 'accounts', query: '?q=harlow', guests: true, typing: true },
  'POST /v1/guest': { callers: 'anybody', body: {} },
  'POST /v1/search': { callers: 'accounts', body: { filters: MAINE } },
  ...DECLARED,
  'POST /v1/buildable': { callers: 'accounts', body: { template: 'solar' }, object: site, good: 409 },
  // The engine of these tests has no parcels.
  'POST /v1/structures': { ...DECLARED['POST /v1/structures']!, good: 404 },
  'POST /v1/accumulation': { callers: 'accounts', body: { value: 'value', within_m: 250 }, object: uploaded },
  'POST /v1/ask': { callers: 'accounts', body: { ...POINT, question: QUESTION } },
  'POST /v1/ask/stream': { callers: 'accounts', body: { ...POINT, question: QUESTION } },
  'POST /v1/sites': { callers: 'accounts', body: { site: square() } },
  'GET /v1/sites': { callers: 'accounts' },
  'GET /v1/sites/{site_id}': { callers: 'accounts', object: site },
  'GET /v1/sites/{site_id}/dossier': { callers: 'accounts', object: site, good: 409 },
  'DELETE /v1/sites/{site_id}': { callers: 'accounts', object: site },
  'GET /v1/watches': { callers: 'accounts' },
  'POST /v1/watches': { callers: 'accounts', body: WATCH, object: site },
  'GET /v1/watches/{watch_id}': { callers: 'accounts', object: watch },
  'DELETE /v1/watches/{watch_id}': { callers: 'accounts', object: watch },
  'GET /v1/buildable/templates': { callers: 'accounts' },
  'PUT /v1/buildable/templates/{template}': { callers: 'accounts', body: {}, params: { template: 'mine' } },
  'DELETE /v1/buildable/templates/{template}': { callers: 'accounts', params: { template: 'theirs' }, good: 404 },
  'POST /v1/uploads': { callers: 'accounts', file: { type: 'text/csv', text: 'lat,lng,value\n44.8,-68.77,7\n' } },
  'POST /v1/exports': { callers: 'accounts', body: EXPORT, object: uploaded },
  'POST /v1/exports/quote': { callers: 'accounts', body: EXPORT, object: uploaded },
  'GET /v1/exports': { callers: 'accounts' },
  'GET /v1/exports/{export_id}': { callers: 'accounts', object: exported },
  'GET /v1/exports/{export_id}/events': { callers: 'accounts', object: exported, endless: true },
  'GET /v1/exports/{export_id}/files/{name}': {
    callers: 'accounts',
    object: exported,
    params: { name: 'export.csv' },
    good: 409,
  },
  'GET /v1/runs': { callers: 'accounts' },
  'POST /v1/runs': { callers: 'accounts', body: { kind: 'fetch_batch', request: BATCH } },
  'GET /v1/runs/{run_id}': { callers: 'accounts', object: run },
  'GET /v1/runs/{run_id}/events': { callers: 'accounts', object: run, endless: true },
  'GET /v1/runs/{run_id}/artifacts/{fmt}': { callers: 'accounts', object: run, params: { fmt: 'csv' }, good: 409 },
  'POST /v1/ask-site': { callers: 'accounts', body: { question: QUESTION }, object: site, good: 409 },
  'GET /v1/field-requests': { callers: 'accounts' },
  'POST /v1/field-requests': { callers: 'accounts', body: REQUEST },
  'GET /v1/field-requests/{request_id}': { callers: 'accounts', object: fieldRequest },
  'DELETE /v1/field-requests/{request_id}': { callers: 'accounts', object: fieldRequest },
  'POST /v1/proximity': { callers: 'accounts', body: { operation: 'matrix', origins: [POINT], ...TO } },
  'POST /v1/proximity/matrix': { callers: 'accounts', body: { origins: [POINT], ...TO } },
  'POST /v1/proximity/nearest': { callers: 'accounts', body: { ...FROM, candidates: [POINT] } },
  'POST /v1/proximity/screen': { callers: 'accounts', body: { candidates: [POINT], rules: RULES } },
  // The tests' engine has no tracts.
  'POST /v1/proximity/labor_shed': { callers: 'accounts', body: { ...FROM, max_minutes: 9 }, good: 503 },
  'POST /v1/proximity/isochrone': { callers: 'accounts', body: { ...FROM, minutes: [9] } },
  'GET /v1/onboarding/terms': { callers: 'anybody' },
  'POST /v1/users/me/onboarding': { callers: 'sessions', body: TERMS },
  'GET /v1/users/me/onboarding/{attempt_id}': { callers: 'sessions', object: attempt },
  // Only the token that its code was exchanged for may speak of an attempt.
  'POST /v1/onboarding/{attempt_id}/progress': { callers: 'accounts', body: PROGRESS, object: attempt, good: 404 },
  'POST /v1/onboarding/exchange': { callers: 'anybody', body: { connect_code: 'x'.repeat(43) }, good: 404 },
  'POST /v1/mcp/device/start': { callers: 'anybody', body: {} },
  'POST /v1/mcp/device/poll': { callers: 'anybody', body: { device_code: 'x'.repeat(43) }, good: 400 },
  'GET /v1/users/me/usage': { callers: 'accounts' },
  'PATCH /v1/users/me/settings': { callers: 'sessions', body: { monthly_credit_limit: 500_000 } },
  'GET /v1/users/me/tokens': { callers: 'sessions', revokes: true },
  'POST /v1/users/me/tokens': { callers: 'sessions', body: { name: 'nightly', expires_in_days: 7 } },
  'POST /v1/users/me/tokens/{id}/reveal': { callers: 'sessions', object: token },
  'POST /v1/users/me/sign-out': { callers: 'sessions', body: {}, ends: true, revokes: true },
  'GET /v1/users/me/grants': { callers: 'sessions', revokes: true },
  // Nobody there is an operator.
  'GET /v1/operator/places': { callers: 'sessions', good: 403 },
  'DELETE /v1/users/me/grants/{id}': { callers: 'sessions', object: grant, revokes: true },
  'DELETE /v1/users/me/tokens/{id}': {
    callers: 'accounts',
    object: token,
    revokes: true,
    refuses: { 'an API token': 'auth_method_not_allowed' },
  },
};

/** Routes that are no part of the API: pages for people, and MCP, OpenID and OAuth as their own standards describe them. */
export const UNDESCRIBED: readonly string[] = [
  'GET /v1/docs',
  'GET /v1/docs/:page',
  'GET /llms.txt',
  'GET /docs',
  'GET /docs/:page',
  'GET /docs/release',
  'GET /docs/fields',
  'GET /docs/fields/:field',
  'GET /docs/search.json',
  'GET /data.json',
  'GET /stac',
  'GET /stac/:collection',
  'GET /stac/:collection/:item',
  'GET /',
  'GET /search',
  'GET /parcel',
  'GET /ask',
  'GET /console',
  'GET /assets/*',
  'GET /plat.svg',
  'GET /signed-in.js',
  'GET /tiles.json',
  'GET /tiles/:layers/:z/:x/:y.mvt',
  'GET /tiles/matches/:map/:z/:x/:y.mvt',
  'GET /tiles/terrain/:z/:x/:y.png',
  'GET /tiles/contours/:z/:x/:y.mvt',
  'POST /mcp',
  'GET /mcp',
  'DELETE /mcp',
  'GET /v1/onboarding/terms/:version',
  'GET /v1/onboarding/privacy',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/security.txt',
  'GET /.well-known/receipt-keys.json',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/oauth-authorization-server',
  'GET /authorize',
  'GET /authorize/:uid',
  'POST /token',
  'POST /register',
  'POST /revoke',
  'GET /device',
  'POST /device',
  'GET /userinfo',
  'POST /userinfo',
  'GET /jwks',
  'GET /sign-out',
  'POST /sign-out/confirm',
  'GET /sign-out/success',
  'GET /sign-in',
  'GET /sign-in/:uid',
  'POST /sign-in/:uid',
  'GET /signed-in',
  'GET /password',
  'POST /password',
  'GET /password/new',
  'POST /password/new',
  'GET /mail/confirm',
  'POST /mail/confirm',
  'GET /mail/stop',
  'POST /mail/stop',
  'POST /password/tokens',
];
