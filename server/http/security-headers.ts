import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Seconds for which browsers ask by https alone, where the outside does. */
const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * What every response tells browsers: its type is what it says, it is no page, nothing frames or embeds it, and its address
 * goes nowhere. Pages say more themselves. They are the same for each response, so they are made once.
 * @param publicUrl what the outside calls the server.
 */
export function securityHeaders(publicUrl: string): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // A window that a client opens for a sign-in would lose who opened it.
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: HSTS_SECONDS, includeSubDomains: false },
    xContentTypeOptions: true,
    xFrameOptions: { action: 'deny' },
    // Of browsers that are gone, or for what is not served here.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  })(request, response, () => {});
  return { ...response.getHeaders() };
}
