import type { Credential } from '../credential.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Terms } from '../scopes.ts';
import { missingScopes, type Scope } from '../scopes.ts';

const READ: readonly Scope[] = ['read'];
const SPEND: readonly Scope[] = ['spend'];

/**
 * The scopes that each endpoint needs of a token; operations that declare themselves say their own. Endpoints for sessions alone need none: a session may do everything. Tools of /mcp
 * need those of the endpoint that answers the same.
 */
export const ROUTE_SCOPES: Readonly<Record<string, readonly Scope[]>> = {
  'POST /v1/fetch': SPEND,
  'POST /v1/fetch/batch': SPEND,
  'POST /v1/fetch/quote': READ,
  'POST /v1/search': READ,
  'POST /v1/enrich': READ,
  'POST /v1/geocode': SPEND,
  'POST /v1/lookup': SPEND,
  'POST /v1/ask': SPEND,
  'POST /v1/ask/stream': SPEND,
  'POST /v1/ask-site': SPEND,
  'POST /v1/proximity': SPEND,
  'POST /v1/proximity/matrix': SPEND,
  'POST /v1/proximity/nearest': SPEND,
  'POST /v1/proximity/screen': SPEND,
  'POST /v1/proximity/labor_shed': SPEND,
  'POST /v1/proximity/isochrone': SPEND,
  'POST /v1/sites': ['spend', 'write'],
  'GET /v1/sites': READ,
  'GET /v1/sites/{site_id}': READ,
  'GET /v1/sites/{site_id}/dossier': READ,
  'DELETE /v1/sites/{site_id}': ['write'],
  'POST /v1/runs': ['spend', 'write'],
  'GET /v1/runs': READ,
  'GET /v1/runs/{run_id}': READ,
  'GET /v1/runs/{run_id}/events': READ,
  'GET /v1/runs/{run_id}/artifacts/{fmt}': READ,
  'POST /v1/uploads': ['write'],
  'POST /v1/exports': ['spend', 'write'],
  'POST /v1/exports/quote': READ,
  'GET /v1/exports': READ,
  'GET /v1/exports/{export_id}': READ,
  'GET /v1/exports/{export_id}/events': READ,
  'GET /v1/exports/{export_id}/files/{name}': READ,
  'POST /v1/field-requests': ['write'],
  'GET /v1/field-requests': READ,
  'GET /v1/field-requests/{request_id}': READ,
  'DELETE /v1/field-requests/{request_id}': ['write'],
  'POST /v1/watches': ['write'],
  'GET /v1/watches': READ,
  'GET /v1/watches/{watch_id}': READ,
  'DELETE /v1/watches/{watch_id}': ['write'],
  'GET /v1/buildable/templates': READ,
  'PUT /v1/buildable/templates/{template}': ['write'],
  'DELETE /v1/buildable/templates/{template}': ['write'],
  'POST /v1/corrections': ['write'],
  'GET /v1/corrections': READ,
  'GET /v1/corrections/{correction_id}': READ,
  'GET /v1/changes': READ,
  'GET /v1/receipts/{receipt_id}': READ,
  'GET /v1/suggest': READ,
  'GET /v1/ogc': READ,
  'GET /v1/ogc/conformance': READ,
  'GET /v1/ogc/collections': READ,
  'GET /v1/ogc/collections/{collectionId}': READ,
  'GET /v1/ogc/collections/{collectionId}/queryables': READ,
  'GET /v1/ogc/tiles': READ,
  'GET /v1/ogc/tileMatrixSets': READ,
  'GET /v1/ogc/tiles/{tileMatrixSetId}': READ,
  'GET /v1/ogc/tileMatrixSets/{tileMatrixSetId}': READ,
  'GET /v1/ogc/collections/{collectionId}/items': READ,
  'GET /v1/ogc/collections/{collectionId}/items/{featureId}': READ,
  'GET /v1/users/me/usage': READ,
  // A token may always end itself.
  'DELETE /v1/users/me/tokens/{id}': [],
  // What is set up tells how far it has come.
  'POST /v1/onboarding/{attempt_id}/progress': READ,
  // Each tool has its own.
  'POST /mcp': [],
  'GET /mcp': [],
  'DELETE /mcp': [],
};

/** The name of an endpoint in the table. @param url as the router has it, with `:name`. */
export const endpointOf = (method: string, url: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${url.replace(/:(\w+)/g, '{$1}')}`;

/** The limits of who asks; null for sessions and guests, which have none here. */
const termsOf = (credential: Credential): Terms | null =>
  credential.kind === 'token' || credential.kind === 'grant' ? credential : null;

/**
 * Refuses a token or an agent that lacks a scope of an endpoint. An endpoint that is not in the table needs all of them.
 * @param own those of an operation that declares them itself.
 * @throws ServiceError scope_insufficient.
 */
export function requireScopes(credential: Credential, endpoint: string, own?: readonly Scope[]): void {
  const terms = termsOf(credential);
  if (!terms) return;
  const required = own ?? ROUTE_SCOPES[endpoint] ?? ['read', 'spend', 'write'];
  const missing = missingScopes(required, terms);
  if (missing.length === 0) return;
  throw new ServiceError(
    'scope_insufficient',
    { missing: missing.join(', '), scopes: terms.scopes.join(', ') },
    { required, scopes: terms.scopes },
  );
}
