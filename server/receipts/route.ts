import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { accountOf, type Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { ServiceError } from '../errors/registry.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { JSON_TYPE } from '../http/shared-answer.ts';
import type { ReceiptServices } from './issue.ts';
import { ReceiptParams, ReceiptResponse } from './schema.ts';

const LIMIT_MS = 5_000;
const RECEIPT_ID = /^rcpt_[a-z2-7]{26}$/;
/** Where the public keys of receipts stand. */
const KEYS_PATH = '/.well-known/receipt-keys.json';

/** GET /v1/receipts/{receipt_id}, and the public keys of receipts. */
export function receiptRoutes(app: FastifyInstance, services: Services & ReceiptServices): void {
  app.get<{ Params: Static<typeof ReceiptParams> }>(
    '/v1/receipts/:receipt_id',
    {
      config: { protected: true },
      schema: {
        operationId: 'receipt',
        tags: ['Data'],
        summary: 'The receipt of an answer',
        description:
          'What was asked, hashes of what was answered and of the files that it came from, signed. `plat verify` recomputes the answer from the release. An answer has one where its request had `X-Service-Receipt: 1`. Kept for 30 days. It costs no credits.',
        security: [{ bearer: [] }],
        params: ReceiptParams,
        response: {
          200: ReceiptResponse,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable', 'receipt_not_found']),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, LIMIT_MS);
      const { receipt_id: id } = request.params;
      const text = RECEIPT_ID.test(id)
        ? await ctx.state.receipts.receipt(accountOf(ctx).id, id, ctx.clock.now())
        : null;
      if (text === null) throw new ServiceError('receipt_not_found');
      return reply.type(JSON_TYPE).serializer(String).send(text);
    },
  );
  app.get(KEYS_PATH, { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return { keys: await services.receiptKeys.published() };
  });
}
