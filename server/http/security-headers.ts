import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Seconds for which browsers use https only (Strict-Transport-Security), when the public URL is https. */
const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * Makes the security headers of every response: the content type is not guessed, the response is no page, it may not be
 * framed or embedded, and its address is not sent on as a referrer. Pages add headers of their own. The headers are the
 * same for each response, so they are made once.
 * @param publicUrl the address under which clients reach the server.
 */
export function securityHeaders(publicUrl: string): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // With this header, a window that a client opens for a sign-in could not reach the window that opened it.
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: HSTS_SECONDS, includeSubDomains: true },
    xContentTypeOptions: true,
    xFrameOptions: { action: 'deny' },
    // These headers are only for browsers that nobody uses any more, or for content that is not served here.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  })(request, response, () => {});
  return { ...response.getHeaders() };
}
