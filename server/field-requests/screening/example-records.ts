import { randomUUID } from 'node:crypto';
import type { AskRecord } from '../../ask/backend.ts';
import type { Ctx } from '../../context.ts';
import { fetchAt, LOCATION_LIMIT_MS } from '../../fetch/location.ts';
import type { JobServices } from '../../jobs/job-kind.ts';
import { ReleaseChoice } from '../../release/choice.ts';
import type { ExampleLocation, FieldRequestRow } from '../../state/field-requests/row.ts';
import { Bill } from '../../state/usage/bill.ts';

/** Makes the context in which a job fetches for the requester. @throws Error when the account is gone. */
export async function requesterCtx(services: JobServices, row: FieldRequestRow, signal: AbortSignal): Promise<Ctx> {
  const [account] = await services.state.accountsOf([row.accountId]);
  if (!account) throw new Error('the account of the request is gone');
  return {
    ...services,
    // No cache: the values must be those that production answers now.
    cache: null,
    account,
    credential: null,
    signal,
    deadline: services.clock.now() + LOCATION_LIMIT_MS,
    requestId: `${row.id}.${randomUUID().slice(0, 8)}`,
    bill: new Bill(),
    release: new ReleaseChoice(services.engine),
  };
}

/** Reads fields at each example location, in order. Charges nothing. @throws as fetchAt. */
export async function recordsAt(
  ctx: Ctx,
  names: readonly string[],
  locations: readonly ExampleLocation[],
): Promise<Readonly<Record<string, AskRecord>>[]> {
  const all: Readonly<Record<string, AskRecord>>[] = [];
  for (const { resolved_location } of locations) {
    const { lat, lng } = resolved_location;
    const place = { point: { lat, lng }, resolved_location, geocode: null, rooftopAddress: null, otherLot: null };
    const deadline = ctx.clock.now() + LOCATION_LIMIT_MS;
    all.push((await fetchAt({ ...ctx, deadline }, names, place)).fields as Readonly<Record<string, AskRecord>>);
  }
  return all;
}
