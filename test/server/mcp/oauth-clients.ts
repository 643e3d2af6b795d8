import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { UnauthorizedError as FirstUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { clientOf, type McpClient } from './mcp-clients.ts';

/** Takes a user to an address and comes back with what the address that it leads to was told. */
export type Visit = (url: URL) => Promise<URLSearchParams>;

/** What an agent that logs in itself keeps: the OAuthClientProvider of both generations. */
class Keeper {
  readonly redirectUrl: string;
  readonly clientMetadata;
  readonly visit: Visit;
  told: URLSearchParams | null = null;
  // biome-ignore lint/suspicious/noExplicitAny: kept for the SDK, which knows what it is
  #kept: Record<string, any> = {};

  constructor(redirectUrl: string, visit: Visit) {
    this.redirectUrl = redirectUrl;
    this.visit = visit;
    this.clientMetadata = {
      client_name: 'An agent',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }
  clientInformation = () => this.#kept.client;
  saveClientInformation = (client: unknown) => {
    this.#kept.client = client;
  };
  tokens = () => this.#kept.tokens;
  saveTokens = (tokens: unknown) => {
    this.#kept.tokens = tokens;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#kept.verifier = verifier;
  };
  codeVerifier = (): string => this.#kept.verifier;
  discoveryState = () => this.#kept.discovery;
  saveDiscoveryState = (state: unknown) => {
    this.#kept.discovery = state;
  };
  redirectToAuthorization = async (url: URL) => {
    this.told = await this.visit(url);
  };
}

/** Connects with nothing but the address of /mcp: a 401, its metadata, registration, a browser, tokens. */
export type LogIn = (
  url: URL,
  terms: { readonly redirectUrl: string; readonly visit: Visit; readonly fetch: typeof fetch },
) => Promise<McpClient>;

/** How agents of both generations log in. */
export const LOGINS: Readonly<Record<string, LogIn>> = {
  'the SDK of 2025': async (url, { redirectUrl, visit, fetch }) => {
    const authProvider = new Keeper(redirectUrl, visit) as never;
    const connect = async () => {
      const client = new FirstClient({ name: 'test', version: '1' });
      const transport = new FirstTransport(url, { authProvider, fetch });
      return { client, transport, connected: client.connect(transport as never) };
    };
    const first = await connect();
    await first.connected.catch(async (error: Error) => {
      if (!(error instanceof FirstUnauthorized)) throw error;
      await first.transport.finishAuth((authProvider as Keeper).told!.get('code')!);
    });
    const { client, connected } = await connect();
    await connected;
    return clientOf(client, true);
  },
  'the SDK of 2026': async (url, { redirectUrl, visit, fetch }) => {
    const authProvider = new Keeper(redirectUrl, visit) as never;
    const connect = async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      const transport = new StreamableHTTPClientTransport(url, { authProvider, fetch });
      return { client, transport, connected: client.connect(transport) };
    };
    const first = await connect();
    await first.connected.catch(async (error: Error) => {
      if (!(error instanceof UnauthorizedError)) throw error;
      await first.transport.finishAuth((authProvider as Keeper).told!);
    });
    const { client, connected } = await connect();
    await connected;
    return clientOf(client, false);
  },
};
