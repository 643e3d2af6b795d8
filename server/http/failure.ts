import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { ShapeError, type ShapeIssue, shapeIssues } from './shape.ts';

/** Error codes for a token that was sent but is not valid (RFC 6750, 3.1). */
const INVALID: ReadonlySet<string> = new Set(['auth_invalid', 'auth_expired', 'auth_revoked']);

/**
 * Turns an error of the HTTP layer into the refusal it stands for; null when the error is not one of those expected.
 */
function refusalFor(error: Partial<FastifyError>, bodyLimit: number): ServiceError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('body_too_large', { limit: bodyLimit });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupported_media_type');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_NOT_FOUND':
      return new ServiceError('not_found');
  }
  const status = error.statusCode ?? 500;
  if (status === 404 || status === 403) return new ServiceError('not_found');
  return status >= 400 && status < 500
    ? new ServiceError('malformed_request', { reason: error.message?.replace(/\.$/, '') ?? 'unreadable' })
    : null;
}

/** The value of WWW-Authenticate: what a 401 asks for (RFC 6750, 3) and where to read how to get it (RFC 9728, 5.1). */
function challengeOf(reply: FastifyReply, { code, context }: ServiceError): string {
  const { resource } = reply.request.routeOptions?.config ?? {};
  const isShort = code === 'scope_insufficient';
  // The resource's own scope reads and spends: only what stays needs more.
  const needed = (context as { readonly required?: readonly string[] }).required ?? [];
  const scope = isShort && needed.includes('write') ? `${resource?.scope} write` : resource?.scope;
  const parameters = [
    ...(INVALID.has(code) ? ['error="invalid_token"'] : []),
    ...(isShort ? ['error="insufficient_scope"'] : []),
    ...(resource ? [`resource_metadata="${resource.metadata}"`, `scope="${scope}"`] : []),
  ];
  return parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}`;
}

/** Sends a refusal: its envelope, Retry-After, and for a 401 the challenge that RFC 9110 requires. */
export function sendServiceError(reply: FastifyReply, error: ServiceError): FastifyReply {
  const { retryAfter } = error;
  const { status } = error.kind;
  if (retryAfter !== undefined)
    reply.header('retry-after', retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter));
  // An agent asks its owner for more (RFC 6750, 3.1).
  const isShort = error.code === 'scope_insufficient' && reply.request.routeOptions?.config.resource;
  if (status === 401 || isShort) reply.header('www-authenticate', challengeOf(reply, error));
  return reply.code(status).send(error.body);
}

/** The one place that turns errors into HTTP responses. */
export function failureHandler(bodyLimit: number) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const fault = error as Partial<FastifyError>;
    if (error instanceof ServiceError) return sendServiceError(reply, error);
    let issues: readonly ShapeIssue[] | null = null;
    if (error instanceof ShapeError) issues = error.issues;
    else if (fault.validation)
      issues =
        fault.validationContext === 'headers'
          ? shapeIssues(fault.validation, request.headers, 'header')
          : fault.validationContext === 'querystring'
            ? shapeIssues(fault.validation, request.query, 'query')
            : fault.validationContext === 'params'
              ? shapeIssues(fault.validation, request.params, 'path')
              : shapeIssues(fault.validation, request.body);
    if (issues) return reply.code(422).send({ detail: issues });
    if (request.raw.socket.destroyed) {
      // The client has gone, so nobody reads this; 499 is only for the log.
      return reply.code(499).send();
    }
    const refusal = refusalFor(fault, bodyLimit);
    // Fastify closes the connection of a body that is too long, and who still writes it may never see the answer. Its rest is
    // read and dropped like that of any refused request, for as long as a request may take to come in.
    if (refusal?.code === 'body_too_large') reply.removeHeader('connection');
    if (refusal) return sendServiceError(reply, refusal);
    request.log.error({ err: error }, 'unhandled fault');
    reply.removeHeader('x-request-id');
    return reply.code(500).type('text/plain; charset=utf-8').serializer(String).send('Internal Server Error');
  };
}
