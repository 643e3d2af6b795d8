import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { sendServiceError } from './failure.ts';

/**
 * Answers what no route answers: 405 with `Allow` when the path exists under other methods, else 404.
 * Must be registered before the routes, whose methods it collects.
 */
export function answerUnrouted(app: FastifyInstance): void {
  const methods = new Map<string, { readonly pattern: RegExp; readonly allowed: Set<string> }>();
  app.addHook('onRoute', route => {
    const entry = methods.get(route.url) ?? {
      pattern: new RegExp(`^${route.url.replace(/[.+]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`),
      allowed: new Set<string>(),
    };
    for (const method of [route.method].flat()) entry.allowed.add(method);
    methods.set(route.url, entry);
  });
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    const found = methods.get(path) ?? [...methods.values()].find(entry => entry.pattern.test(path));
    if (!found || found.allowed.has(request.method)) return sendServiceError(reply, new ServiceError('not_found'));
    const allow = [...found.allowed].sort().join(', ');
    return sendServiceError(reply.header('allow', allow), new ServiceError('method_not_allowed', { allow }));
  });
}
