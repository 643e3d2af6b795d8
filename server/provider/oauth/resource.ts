/** Path of the resource that OAuth tokens are for. */
const RESOURCE_PATH = '/mcp';

/** What a token must have been granted to call tools. */
export const MCP_SCOPE = 'mcp';

/** The audience of OAuth tokens (RFC 8707). @param issuer of the embedded provider, which stands below the same server. */
export const resourceOf = (issuer: string): string => `${issuer}${RESOURCE_PATH}`;

/** Where the resource describes itself (RFC 9728, 3.1): the path goes behind the well-known one. */
export const METADATA_PATHS = [
  `/.well-known/oauth-protected-resource${RESOURCE_PATH}`,
  '/.well-known/oauth-protected-resource',
] as const;
