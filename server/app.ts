import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { accountRoutes } from './account/route.ts';
import type { AppServices } from './app-services.ts';
import { askRoutes } from './ask/route.ts';
import { askSiteRoutes } from './ask/site/route.ts';
import { askStreamRoutes } from './ask/stream-route.ts';
import { guardRoutes } from './auth/guard.ts';
import { templateRoutes } from './buildable/template-route.ts';
import { catalogRoutes } from './catalogs/route.ts';
import { changesRoutes } from './changes/route.ts';
import { correctionRoutes } from './corrections/route.ts';
import { devicePages } from './device/pages.ts';
import { deviceRoutes } from './device/route.ts';
import { collectOpenapi, docsRoutes } from './docs/route.ts';
import { docsSiteRoutes } from './docs/site/route.ts';
import { enrichRoutes } from './enrich/route.ts';
import { ServiceError } from './errors/registry.ts';
import { exportRoutes } from './exports/route.ts';
import { batchRoutes } from './fetch/batch-route.ts';
import { quoteRoutes } from './fetch/quote-route.ts';
import { fetchRoutes } from './fetch/route.ts';
import { mailPages } from './field-requests/callbacks/mail-pages.ts';
import { fieldRequestRoutes } from './field-requests/route.ts';
import { FormatThreads } from './formats/format-threads.ts';
import { geocodeRoutes } from './geocode/route.ts';
import { guestRoutes } from './guest/route.ts';
import { healthRoutes } from './health/route.ts';
import { dropBody, watchBody } from './http/body-memory.ts';
import { forbidCaching } from './http/caching.ts';
import { beginRequest, clientErrorHandler, endRequest, hostFault, limitConnections } from './http/connection.ts';
import { failureHandler } from './http/failure.ts';
import { hasHeader } from './http/header-schema.ts';
import { jsonBodyParser } from './http/json-body.ts';
import { answerUnrouted } from './http/methods.ts';
import { letOriginsIn } from './http/other-origins.ts';
import { requestId } from './http/request-id.ts';
import { requestValidator } from './http/request-validator.ts';
import { bodyRoom, keepRoom, roomForBody } from './http/rooms.ts';
import { securityHeaders } from './http/security-headers.ts';
import { STALLED_MS, sendWithBackpressure } from './http/sending.ts';
import { jsonOf } from './http/written-json.ts';
import { lookupRoutes } from './lookup/route.ts';
import { accountNotices } from './mail/account-notices.ts';
import { mcpRoutes } from './mcp/route.ts';
import { Room } from './memory/room.ts';
import { quantileRoutes } from './meta/quantiles.ts';
import { metaRoutes } from './meta/route.ts';
import { scorecardRoutes } from './meta/scorecard.ts';
import { oauthRoutes } from './oauth/route.ts';
import { ogcRoutes } from './ogc/route.ts';
import { onboardingRoutes } from './onboarding/route.ts';
import { operationRoutes } from './operations/route.ts';
import { operatorRoutes } from './operator/route.ts';
import { providerRoutes } from './provider/mount.ts';
import { signInPages } from './provider/pages/route.ts';
import { proximityRoutes } from './proximity/route.ts';
import { Admission } from './rate/admission.ts';
import { guestLimit } from './rate/guest-limit.ts';
import { rateLimit } from './rate/limit.ts';
import { signAnswers } from './receipts/header.ts';
import { receiptRoutes } from './receipts/route.ts';
import { runRoutes } from './runs/route.ts';
import { searchRoutes } from './search/route.ts';
import { securityRoutes } from './security/route.ts';
import { siteRoutes } from './sites/route.ts';
import { suggestRoutes } from './suggest/route.ts';
import { tileRoutes } from './tiles/route.ts';
import { traceRequests } from './trace/requests.ts';
import { Tracer } from './trace/tracer.ts';
import { deliveryOf } from './watches/delivery-job.ts';
import { watchRoutes } from './watches/route.ts';
import { webRoutes } from './web/route.ts';

/** Headers must arrive sooner than bodies: a client that sends them slowly only holds a connection. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Milliseconds that an idle connection is kept. It must be longer than load balancers keep theirs. */
const KEEP_ALIVE_MS = 65_000;

/** Longer than Node lets a request target be: the router must leave it to each route what an id may look like. */
const LONGEST_TARGET = 1024 * 1024;

/**
 * Builds the HTTP application: routes, checks in the order authentication → shape → meaning → cost, limits and docs.
 * It is not listening yet and owns none of its services.
 */
export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const { limits } = services;
  const everywhere = securityHeaders(services.publicUrl);
  const app: FastifyInstance = Fastify({
    loggerInstance: services.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: services.trustedProxies.length > 0 ? [...services.trustedProxies] : false,
    requestIdHeader: false,
    genReqId: request => requestId(request.headers['x-request-id']),
    bodyLimit: limits.bodyLimit,
    routerOptions: { maxParamLength: LONGEST_TARGET },
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveMs ?? KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, limits.requestTimeout),
      connectionsCheckingInterval: Math.min(1_000, limits.requestTimeout),
      // Such requests are refused below, with the envelope instead of an empty 400.
      requireHostHeader: false,
    },
    clientErrorHandler,
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...everywhere, 'x-request-id': request.id });
      beginRequest(reply);
      failureHandler(limits.bodyLimit)(error, request, reply);
      // No hook runs for these requests.
      endRequest(reply);
    },
  });
  limitConnections(app, { ...limits, trustedProxies: services.trustedProxies });

  app.setErrorHandler(failureHandler(limits.bodyLimit));
  app.setValidatorCompiler(requestValidator);
  // Response schemas are documentation only. What operations return is sent unchanged.
  app.setSerializerCompiler(() => jsonOf as (body: unknown) => string);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonBodyParser());

  traceRequests(app, services.tracer ?? new Tracer());
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere).header('x-request-id', request.id);
    beginRequest(reply);
    done();
  });
  app.decorateRequest('bill', null);
  app.decorateRequest('releaseChoice', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.bill && !reply.raw.headersSent) reply.headers(request.bill.headers);
    const release = request.releaseChoice?.source;
    if (
      release &&
      !reply.raw.headersSent &&
      hasHeader(request.routeOptions.schema, reply.statusCode, 'X-Service-Release')
    )
      reply.header('x-service-release', release);
    done(null, payload);
  });
  signAnswers(app, services);
  forbidCaching(app);
  await letOriginsIn(app, services.corsOrigins);
  const unrouted = answerUnrouted(app);
  app.addHook('onRequest', (request, reply, done) => {
    const reason = hostFault(request.raw);
    if (reason !== undefined) done(new ServiceError('malformed_request', { reason }));
    else if (request.is404) unrouted(request, reply);
    else done();
  });
  const ofGuests = { guests: services.guests, guestLimit: guestLimit(services.clock) };
  guardRoutes(
    app,
    { ...services, ...ofGuests },
    services.rateLimit ? rateLimit(services.state, services.clock) : null,
    new Admission(limits),
  );
  const answers = new Room('answer', limits.answerBytes, { isClosed: () => services.memory?.spare === 'full' });
  services.memory?.whenEased(() => answers.admit());
  const rooms = { bodies: bodyRoom(limits.bodyBytes, limits.bodyLimit), answers };
  app.addHook('preParsing', (request, reply, payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') {
      done(new ServiceError('unsupported_media_type'));
      return;
    }
    // Listening to a body starts its flow, so wait until there is room for it.
    const read = () => {
      if (!request.routeOptions.config.streamed) watchBody(request, payload, limits.bodyLimit);
      done(null, payload);
    };
    // Uploads may be larger than other bodies.
    const admitted = roomForBody(rooms, request, reply, request.routeOptions.bodyLimit ?? limits.bodyLimit);
    if (admitted) admitted.then(read, done);
    else read();
  });
  keepRoom(app, rooms);
  sendWithBackpressure(app, limits.stalledMs ?? STALLED_MS);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    dropBody(request);
    done(null, payload);
  });
  app.addHook('onResponse', (_request, reply, done) => {
    endRequest(reply);
    done();
  });

  const notices = accountNotices(services, error => app.log.error({ err: error }, 'an account was not told by mail'));
  services.embedded.grants.whenAdded((accountId, name) => notices.added(accountId, { kind: 'mcp', name }));

  services.metrics?.follow(app);
  await collectOpenapi(app);
  healthRoutes(app, services);
  securityRoutes(app, services);
  metaRoutes(app, services);
  quantileRoutes(app, services);
  scorecardRoutes(app, services);
  catalogRoutes(app, services);
  changesRoutes(app, services);
  const formats = new FormatThreads(services.catalog);
  app.addHook('onClose', () => formats.close());
  fetchRoutes(app, { ...services, formats });
  batchRoutes(app, { ...services, formats });
  quoteRoutes(app, services);
  geocodeRoutes(app, services);
  lookupRoutes(app, services);
  suggestRoutes(app, services);
  guestRoutes(app, ofGuests);
  enrichRoutes(app, services);
  accountRoutes(app, { ...services, notices });
  operatorRoutes(app, services);
  searchRoutes(app, { ...services, formats });
  operationRoutes(app, { ...services, formats });
  ogcRoutes(app, services);
  proximityRoutes(app, services);
  receiptRoutes(app, services);
  correctionRoutes(app, services);
  runRoutes(app, services);
  exportRoutes(app, services);
  siteRoutes(app, services);
  watchRoutes(app, services);
  templateRoutes(app, services);
  askRoutes(app, services);
  askStreamRoutes(app, services);
  askSiteRoutes(app, services);
  providerRoutes(app, services);
  oauthRoutes(app, services);
  signInPages(app, services);
  fieldRequestRoutes(app, services);
  mailPages(app, services, (accountId, address, now) =>
    services.state.watches.releaseMail(accountId, address, now, deliveryOf),
  );
  mcpRoutes(app, services);
  onboardingRoutes(app, { ...services, notices });
  deviceRoutes(app, { ...services, notices });
  devicePages(app, services);
  tileRoutes(app, services);
  webRoutes(app, services.imagery ?? null);
  docsRoutes(app, services);
  docsSiteRoutes(app, services);
  await app.ready();
  return app;
}
