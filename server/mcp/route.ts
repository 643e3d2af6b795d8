import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppServices } from '../app-services.ts';
import { ServiceError } from '../errors/registry.ts';
import { goneSignal } from '../http/context.ts';
import { failureHandler } from '../http/failure.ts';
import { JsonError } from '../http/json.ts';
import { cutStalled, STALLED_MS } from '../http/sending.ts';
import { MCP_SCOPE, METADATA_PATHS } from '../provider/oauth/resource.ts';
import type { Bill } from '../state/usage/bill.ts';
import { createCancellation } from './cancellation.ts';
import { type Served, StructuredContent } from './content.ts';
import { requireToolScopes } from './scopes.ts';
import { serverMaker } from './server.ts';

const MCP_PATH = '/mcp';

/** Errors of JSON-RPC 2.0, 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null });

/** The parts of a message that the route reads. */
interface Message {
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** A code from JSON-RPC's range for servers. */
const REFUSED = -32_000;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Whether a page may call: one of this server, of this machine, or of an origin in PLAT_CORS_ORIGINS. Other pages may
 * have reached this server by DNS rebinding.
 */
function isAllowedOrigin(
  origin: string | undefined,
  { publicUrl, corsOrigins }: Pick<AppServices, 'publicUrl' | 'corsOrigins'>,
): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return true;
  const url = URL.parse(origin);
  return url !== null && (url.origin === URL.parse(publicUrl)?.origin || LOOPBACK.test(url.hostname));
}

/** Names the client within its account, for protocol versions with sessions. The server stores nothing about it. */
const SESSION_HEADER = 'mcp-session-id';
const SESSION = /^[\w-]{1,64}$/;

/** The message as the protocol's library takes it. It gets the parsed body beside it. @param signal aborts with the client. */
function webRequest({ raw, url }: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return new Request(new URL(url, 'http://localhost'), { method: 'POST', headers, signal });
}

/**
 * Sends what the protocol's library answers, in pieces: the next one when the client has read the last. All of it is counted
 * among the answers on their way.
 */
async function send(
  reply: FastifyReply,
  { status, headers, body }: Response,
  bill: Bill | null,
  content: StructuredContent,
): Promise<void> {
  const { raw } = reply;
  // The library's header would let caches store answers of tools. That of the route stands already.
  headers.delete('cache-control');
  // Events have begun before a call has its price; a single message is written after it.
  const price = headers.get('content-type')?.startsWith('application/json') ? bill?.headers : {};
  raw.writeHead(status, { ...Object.fromEntries(headers), ...price });
  async function* pieces() {
    let length = 0;
    for await (const message of body ?? []) {
      length += message.length;
      // Messages about progress come before there is content.
      reply.countAnswer(length + content.length);
      yield* content.in(message);
    }
  }
  await pipeline(pieces, raw);
}

/**
 * POST /mcp: the operations as tools (Model Context Protocol, streamable HTTP). Requests do not depend on each other,
 * so any server can answer any of them.
 */
export function mcpRoutes(app: FastifyInstance, services: AppServices): void {
  const cancellation = createCancellation();
  const make = serverMaker(services, cancellation);
  const served = new WeakMap<object, Served>();
  const handler = createMcpHandler(({ authInfo }) => make(served.get(authInfo!)!), {
    onerror: error => services.logger?.debug({ err: error }, 'a message of /mcp was refused'),
  });
  app.addHook('preClose', () => handler.close());
  const fail = failureHandler(services.limits.bodyLimit);

  const sessionOf = (request: FastifyRequest): string | null => {
    const given = request.headers[SESSION_HEADER];
    return typeof given === 'string' && SESSION.test(given) ? `${request.account!.id} ${given}` : null;
  };
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isAllowedOrigin(request.headers.origin, services))
      return reply.code(403).send(rpcError(REFUSED, 'Pages of this origin may not call /mcp.'));
    const body = request.body as Message | readonly Message[] | null | undefined;
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      return reply.code(400).send(rpcError(INVALID_REQUEST, 'Send one JSON-RPC message a request.'));
    const { method, params } = body as Message;
    const session = sessionOf(request);
    if (method === 'notifications/cancelled' && session !== null)
      cancellation.cancel(`${session} ${JSON.stringify(params?.requestId)}`);
    if (method === 'tools/call') requireToolScopes(request.credential!, params);
    if (method === 'initialize') reply.header(SESSION_HEADER, randomUUID());
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    const authInfo = { token: '', clientId: '', scopes: [] };
    const content = new StructuredContent();
    served.set(authInfo, { request, reply, content, session });
    reply.hijack();
    cutStalled(reply, services.limits.stalledMs ?? STALLED_MS);
    const answer = await handler.fetch(webRequest(request, goneSignal(reply.raw)), { authInfo, parsedBody: body });
    // A client that has gone reads no answer; the operation has ended by its signal.
    await send(reply, answer, request.bill, content).catch(() => {});
    return reply;
  };

  const { embedded } = services;
  const resource = { metadata: `${embedded.issuer}${METADATA_PATHS[0]}`, scope: MCP_SCOPE };
  app.post(
    MCP_PATH,
    {
      config: { protected: true, withoutState: true, resource },
      schema: { hide: true },
      errorHandler: (error, request, reply) =>
        error instanceof JsonError
          ? reply.code(400).send(rpcError(PARSE_ERROR, error.message))
          : fail(error, request, reply),
    },
    serve,
  );
  app.route({
    method: ['GET', 'DELETE'],
    url: MCP_PATH,
    exposeHeadRoute: false,
    config: { protected: true, resource, unanswered: true },
    schema: { hide: true },
    handler: async (_request, reply) => {
      reply.header('allow', 'POST');
      throw new ServiceError('method_not_allowed', { allow: 'POST' });
    },
  });
}
