import { requireScopes } from '../auth/route-scopes.ts';
import type { Credential } from '../credential.ts';
import { formOf } from './calling.ts';
import { TOOLS } from './registry.ts';
import { PREFIX } from './tool.ts';

/** An endpoint that costs nothing and leaves nothing, for tools that have none of their own. */
const FREE = 'POST /v1/fetch/quote';

/** Refuses a call of a tool whose endpoint needs more than the caller has. @throws ServiceError scope_insufficient. */
export function requireToolScopes(credential: Credential, params: unknown): void {
  const { name, arguments: given } = (params ?? {}) as { readonly name?: unknown; readonly arguments?: unknown };
  const tool = TOOLS.find(tool => PREFIX + tool.name === name);
  if (!tool) return;
  const { req } = (given ?? {}) as { readonly req?: unknown };
  const { route, scopes } = formOf(tool, req);
  requireScopes(credential, route ?? FREE, scopes);
}
