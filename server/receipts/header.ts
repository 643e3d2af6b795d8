import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { hasHeader } from '../http/header-schema.ts';
import { issueReceipt, type ReceiptServices } from './issue.ts';

const HEADER = 'x-service-receipt';

/** Whether a request asks for a receipt of its answer. */
export const wantsReceipt = (headers: IncomingHttpHeaders): boolean => headers[HEADER] === '1';

/** Signs the answers in JSON of which a receipt is asked for, before they are sent: the header names it. */
export function signAnswers(app: FastifyInstance, services: Services & ReceiptServices): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { releaseChoice: release, account, routeOptions, body, log } = request;
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    const isWanted = wantsReceipt(request.headers) && isText && isJson && release !== null && account !== null;
    if (!isWanted || !hasHeader(routeOptions.schema, reply.statusCode, 'X-Service-Receipt')) {
      done(null, payload);
      return;
    }
    const answered = { path: routeOptions.url!, body, answer: payload, isSent: true };
    issueReceipt({ ...services, account, release, log }, services, answered).then(id => {
      if (id !== null) reply.header(HEADER, id);
      done(null, payload);
    }, done);
  });
}
