import { randomUUID } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { reserveCredits, settleCredits } from '../credits/charge.ts';
import type { Operation, OperationServices } from '../operation/operation.ts';

/**
 * What an operation responds, for the credits of a call where it has one price. A refusal costs nothing.
 * @throws as the operation, and ServiceError credits_exhausted, token_budget_exhausted.
 */
export async function chargedResponse(
  { id, price, respond }: Operation,
  ctx: Ctx,
  services: OperationServices,
  body: unknown,
): ReturnType<Operation['respond']> {
  const { credits } = price;
  // What has several prices charges them where the work is done.
  if (!credits) return respond(ctx, services, body);
  const reservation = await reserveCredits(ctx, randomUUID(), id, [credits]);
  let cost = 0;
  try {
    const response = await respond(ctx, services, body);
    cost = credits;
    return response;
  } finally {
    await settleCredits(ctx, reservation, cost);
  }
}
