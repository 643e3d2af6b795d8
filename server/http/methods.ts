import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { sendServiceError } from './failure.ts';

/** The path of a request target as the router sees it: without origin and query, percent-decoded. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * Answers requests that match no route: 405 with `Allow` when the path exists under other methods, otherwise 404.
 * Call it before the routes are registered, because it collects their methods.
 * @returns the answer, for use in the first hook. Fastify calls its not-found handler only after it has read the body,
 * and would report faults of the body first.
 */
export function answerUnrouted(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const methods = new Map<string, { readonly pattern: RegExp; readonly allowed: Set<string> }>();
  app.addHook('onRoute', route => {
    if (route.config?.unanswered) return;
    const entry = methods.get(route.url) ?? {
      pattern: new RegExp(`^${route.url.replace(/[.+]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`),
      allowed: new Set<string>(),
    };
    for (const method of [route.method].flat()) entry.allowed.add(method);
    methods.set(route.url, entry);
  });
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = pathOf(request.url);
    const found = methods.get(path) ?? [...methods.values()].find(entry => entry.pattern.test(path));
    if (!found || found.allowed.has(request.method)) return sendServiceError(reply, new ServiceError('not_found'));
    const allow = [...found.allowed].sort().join(', ');
    return sendServiceError(reply.header('allow', allow), new ServiceError('method_not_allowed', { allow }));
  };
  // For routes that themselves find nothing, such as those that serve files.
  app.setNotFoundHandler(answer);
  return answer;
}
