import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../version.ts';
import type { Login } from './secrets/store.ts';

/** Milliseconds that a call may take. A page of a search may take 180 s. */
const CALL_LIMIT_MS = 210_000;

/** Connects to /mcp of a service. */
export async function connectService(service: string, { token, attemptId }: Login): Promise<Client> {
  const client = new Client({ name: 'plat-mcp', version: VERSION }, { versionNegotiation: { mode: 'auto' } });
  const headers = {
    authorization: `Bearer ${token}`,
    ...(attemptId === null ? {} : { 'x-service-onboarding-attempt': attemptId }),
  };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service), { requestInit: { headers } }));
  return client;
}

/**
 * Serves the protocol over stdio, in the version that the agent starts with, and forwards each request to the service.
 * Progress is passed back, and cancellation is passed on.
 * @returns when the agent closed its end.
 */
export function adapt(client: Client, log: (line: string) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const make = () => {
    const instructions = client.getInstructions();
    const server = new Server(client.getServerVersion() ?? { name: 'plat', version: VERSION }, {
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
