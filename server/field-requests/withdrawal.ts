import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { isSettled } from '../state/field-requests/states.ts';
import { buildOf } from './building/build.ts';
import { recordOf, requestOfAccount } from './reading.ts';
import type { FieldRequestRecord } from './schema.ts';
import { inTheirWords } from './unavailable.ts';

const WITHDRAWN = { code: 'other', explanation: 'Its requester withdrew it.', counter_offer: null } as const;

/**
 * DELETE /v1/field-requests/{request_id}: ends a request that its account wants no more. Its poll body stays, nobody is
 * told, and its addresses are removed as after any other end. Free; a second call changes nothing.
 * @throws ServiceError field_request_not_found, also for another account's; field_request_ended;
 * field_requests_unavailable.
 */
export function withdrawFieldRequest(ctx: Ctx, id: string): Promise<FieldRequestRecord> {
  return inTheirWords(async () => {
    const { email } = accountOf(ctx);
    // Whoever builds it may move it meanwhile.
    for (;;) {
      const row = await requestOfAccount(ctx, id);
      const build = buildOf(row);
      if (build.withdrawn) return recordOf(row);
      if (isSettled(row.status)) throw new ServiceError('field_request_ended', { status: row.status });
      const ended = await ctx.state.fieldRequests.move({
        id,
        from: [row.status],
        to: 'blocked',
        by: email,
        reason: 'withdrawn by its requester',
        now: ctx.clock.now(),
        build: { ...build, outcome: 'BLOCKED', blocked: WITHDRAWN, withdrawn: true },
      });
      if (ended) return recordOf(ended);
    }
  });
}
