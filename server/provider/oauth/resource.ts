/** Path of the resource that OAuth tokens are for. */
const RESOURCE_PATH = '/mcp';

/** The scope that a token needs to call tools. */
export const MCP_SCOPE = 'mcp';
/** The scope to write what stays beside it: runs, sites, field requests. */
export const WRITE_SCOPE = 'write';

/** The audience of OAuth tokens (RFC 8707). @param issuer of the embedded provider, which has the same origin. */
export const resourceOf = (issuer: string): string => `${issuer}${RESOURCE_PATH}`;

/** Paths of the resource's metadata (RFC 9728, 3.1): its path follows the well-known one. */
export const METADATA_PATHS = [
  `/.well-known/oauth-protected-resource${RESOURCE_PATH}`,
  '/.well-known/oauth-protected-resource',
] as const;
