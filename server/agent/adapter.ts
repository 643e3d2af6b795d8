import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Login } from './secrets/store.ts';

/** Milliseconds that a call may take: a page of a search has 180 s. */
const CALL_LIMIT_MS = 210_000;

/** Connects to /mcp of a service. */
export async function connectService(service: string, { token, attemptId }: Login): Promise<Client> {
  const client = new Client({ name: 'plat-mcp', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } });
  const headers = {
    authorization: `Bearer ${token}`,
    ...(attemptId === null ? {} : { 'x-service-onboarding-attempt': attemptId }),
  };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service), { requestInit: { headers } }));
  return client;
}

/**
 * Speaks the protocol over stdio with whatever generation of client began it, and forwards each request to the service:
 * progress comes back, cancelling goes on.
 * @returns when the client closed its end.
 */
export function adapt(client: Client, log: (line: string) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const make = () => {
    const instructions = client.getInstructions();
    const server = new Server(client.getServerVersion() ?? { name: 'plat', version: '0.1.0' }, {
      capabilities: { tools: {}, resources: {} },
      ...(instructions === undefined ? {} : { instructions }),
    });
    server.setRequestHandler('tools/list', () => client.listTools());
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      return client.callTool(
        { name: params.name, arguments: params.arguments ?? {} },
        {
          signal: mcpReq.signal,
          timeout: CALL_LIMIT_MS,
          ...(progressToken === undefined
            ? {}
            : {
                onprogress: progress => {
                  const told = { method: 'notifications/progress', params: { progressToken, ...progress } } as const;
                  mcpReq.notify(told).catch(() => {});
                },
              }),
        },
      );
    });
    server.setRequestHandler('resources/list', () => client.listResources());
    server.setRequestHandler('resources/templates/list', () => client.listResourceTemplates());
    server.setRequestHandler('resources/read', ({ params: { uri } }) => client.readResource({ uri }));
    return server;
  };
  const handle = serveStdio(make, { onerror: error => log(error.message) });
  process.stdin.once('close', () => {
    void handle.close().finally(() => resolve());
  });
  return promise;
}
