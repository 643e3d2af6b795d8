import { type Ctx, termsOf } from '../../context.ts';
import type { Disposition } from '../../state/field-requests/disposition.ts';
import type { ExampleLocation } from '../../state/field-requests/row.ts';
import type { KeptBody } from '../schema.ts';
import type { Found } from './confirmation.ts';
import { recordsAt } from './example-records.ts';
import type { Meant } from './exclusions.ts';
import type { Judgement } from './judgement.ts';
import { CONCLUDE, JUDGE, MEANT, READ_ASKS } from './works.ts';

/** Names and descriptions that are understood in one turn. */
const AT_ONCE = 4;

async function foundAt(ctx: Ctx, name: string, locations: readonly ExampleLocation[]): Promise<Found> {
  const field = ctx.catalog.fields.get(name)!;
  const { cadence } = ctx.catalog.datasets.get(field.dataset)!;
  const lack = ctx.engine.availability().lackOf(name);
  const now = ctx.clock.now();
  if (lack !== null) return { field, lack, cadence, records: [], locations, now };
  const records = (await recordsAt(ctx, [name], locations)).map(at => at[name]!);
  const failed = records.find(({ status }) => status === 'failed');
  if (failed) throw new Error(`${name} could not be read at an example location: ${failed.error ?? failed.notes}`);
  return { field, lack, cadence, records, locations, now };
}

/** The fields that names and descriptions mean, a few at a time: what others ask for has its turn between. */
async function meantBy(ctx: Ctx, entries: readonly string[]): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  for (let i = 0; i < entries.length; i += AT_ONCE)
    for (const name of await ctx.language.have(MEANT, entries.slice(i, i + AT_ONCE), termsOf(ctx))) all.add(name);
  return all;
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
  const { asks, unwanted } = await ctx.language.have(READ_ASKS, body, termsOf(ctx));
  const { must_not_be = [], already_have = [], acceptable_substitutes = [] } = body.constraints ?? {};
  const meant: Meant = {
    excluded: [
      ['constraints.must_not_be', await meantBy(ctx, must_not_be)],
      ['constraints.already_have', await meantBy(ctx, already_have)],
      ['the description', await meantBy(ctx, unwanted)],
    ],
    accepted: await meantBy(ctx, acceptable_substitutes),
  };
  const judgements: Judgement[] = [];
  for (const one of asks)
    judgements.push({ one, verdict: await ctx.language.have(JUDGE, { one, body, meant }, termsOf(ctx)) });
  const found: (Found | null)[] = [];
  for (const { verdict } of judgements)
    found.push('field' in verdict ? await foundAt(ctx, verdict.field.name, locations) : null);
  return ctx.language.have(CONCLUDE, { body, judgements, found }, termsOf(ctx));
}
