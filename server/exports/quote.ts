import { accountOf, type Ctx } from '../context.ts';
import { priced, unanswerable } from '../fetch/quote.ts';
import type { QuoteResult } from '../fetch/quote-schema.ts';
import { PLANS } from '../plans.ts';
import type { SetServices } from '../sets/area-source.ts';
import type { ExportBody } from './schema.ts';
import { judgeExport } from './submission.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * POST /v1/exports/quote: the rows of an export, what they would cost, and whether the month's credits and the day's rows suffice.
 * Free. The export costs at most this.
 * @param body already of the right shape.
 * @throws ServiceError as judgeExport.
 */
export async function quoteExport(ctx: Ctx, services: SetServices, body: ExportBody): Promise<QuoteResult> {
  const { work, rows, addresses, warnings } = await judgeExport(ctx, services, body);
  const { computed, columns } = work.fields;
  const { plan, id } = accountOf(ctx);
  const quote = await priced(ctx, { names: computed, locations: rows, preset: body.preset ?? null, more: addresses });
  const used = await ctx.state.exports.rowsOf(id, Math.floor(ctx.clock.now() / DAY_MS));
  const most = PLANS[plan].exportRows;
  const notes = [
    ...quote.notes,
    `The export has ${rows} rows; ${Math.max(0, most - used)} of the ${most} that plan ${plan} has a day are left.`,
    ...(columns.length > 0 ? [`Columns that every parcel has cost nothing: ${columns.join(', ')}.`] : []),
    ...(addresses > 0 ? ['An address costs 1 credit, unless it was resolved in the last 30 days.'] : []),
    ...(await unanswerable(ctx, computed)),
    ...warnings,
    ...(quote.allowance.would_be_blocked || used + rows > most
      ? ['The export would be refused with credits_exhausted.']
      : []),
  ];
  return { ...quote, notes };
}
