import { type Ctx, termsOf } from '../../context.ts';
import type { Disposition } from '../../state/field-requests/disposition.ts';
import type { ExampleLocation } from '../../state/field-requests/row.ts';
import type { KeptBody } from '../schema.ts';
import type { Found } from './confirmation.ts';
import { recordsAt } from './example-records.ts';
import { CONCLUDE, JUDGE } from './works.ts';

async function foundAt(ctx: Ctx, name: string, locations: readonly ExampleLocation[]): Promise<Found> {
  const records = (await recordsAt(ctx, [name], locations)).map(at => at[name]!);
  const failed = records.find(({ status }) => status === 'failed');
  if (failed) throw new Error(`${name} could not be read at an example location: ${failed.error ?? failed.notes}`);
  const field = ctx.catalog.fields.get(name)!;
  const { cadence } = ctx.catalog.datasets.get(field.dataset)!;
  return { field, cadence, records, locations, now: ctx.clock.now() };
}

/**
 * Screens a request: each value that it asks for is compared with the catalog, then with the fields' values at the
 * example locations.
 * @throws Error when a field could not be read there; ServiceError fetch_busy, ask_busy, worker_stopped; AbortError.
 */
export async function screen(
  ctx: Ctx,
  body: KeptBody,
  locations: readonly ExampleLocation[],
): Promise<readonly Disposition[]> {
  const judgements = await ctx.language.have(JUDGE, body, termsOf(ctx));
  const found: (Found | null)[] = [];
  for (const { verdict } of judgements)
    found.push('field' in verdict ? await foundAt(ctx, verdict.field.name, locations) : null);
  return ctx.language.have(CONCLUDE, { body, judgements, found }, termsOf(ctx));
}
