import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The answer to a call, as tests look at it. */
export interface Called {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
  readonly structuredContent: any;
}

/** A client of either generation of the official SDK. */
export interface McpClient {
  tools(): Promise<readonly { readonly name: string; readonly description?: string; readonly inputSchema: object }[]>;
  call(
    name: string,
    req: unknown,
    options?: {
      signal?: AbortSignal;
      onprogress?: (progress: object) => void;
      timeout?: number;
      /** What stands beside the body; without it the full view, which is compared with HTTP. */
      beside?: object;
    },
  ): Promise<Called>;
  read(uri: string): Promise<string>;
  resources(): Promise<readonly string[]>;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

/** What both generations do alike. */
export function clientOf(client: FirstClient | Client, older: boolean): McpClient {
  return {
    tools: async () => (await client.listTools()).tools,
    async call(name, req, { beside = { view: 'full' }, ...options } = {}) {
      const params = { name, arguments: { req, ...beside } };
      return (await (older
        ? (client as FirstClient).callTool(params, undefined, options)
        : (client as Client).callTool(params, options))) as unknown as Called;
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      return (contents[0] as { text: string }).text;
    },
    async resources() {
      const { resources } = await client.listResources();
      const { resourceTemplates } = await client.listResourceTemplates();
      return [...resources.map(({ uri }) => uri), ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)];
    },
    close: () => client.close(),
  };
}

/** The generations: protocol of 2025 with the first SDK, that of 2026 with the second. */
export const GENERATIONS: Readonly<Record<string, (base: string, headers: Headers) => Promise<McpClient>>> = {
  'the SDK of 2025': async (base, headers) => {
    const client = new FirstClient({ name: 'test', version: '1' });
    await client.connect(new FirstTransport(new URL('/mcp', base), { requestInit: { headers } }) as never);
    return clientOf(client, true);
  },
  'the SDK of 2026': async (base, headers) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } }));
    return clientOf(client, false);
  },
};
