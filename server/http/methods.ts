import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { sendServiceError } from './failure.ts';

/** The path that the router sees in a request target: without origin, query and percent-encoding. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * Answers what no route answers: 405 with `Allow` when the path exists under other methods, else 404.
 * Must be registered before the routes, whose methods it collects.
 * @returns the answer, for the first hook: Fastify comes to its not-found handler only after the body, whose own faults
 * would be judged first.
 */
export function answerUnrouted(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const methods = new Map<string, { readonly pattern: RegExp; readonly allowed: Set<string> }>();
  app.addHook('onRoute', route => {
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
  // For routes that find nothing themselves, as those of files do.
  app.setNotFoundHandler(answer);
  return answer;
}
