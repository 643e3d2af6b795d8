import type { Ctx } from '../../context.ts';
import type { Disposition } from '../../state/field-requests/disposition.ts';
import type { ExampleLocation } from '../../state/field-requests/row.ts';
import type { Status } from '../../state/field-requests/states.ts';
import type { KeptBody } from '../schema.ts';
import { doubtsOf, type Found, foundDisposition, isUnmapped } from './confirmation.ts';
import { recordsAt } from './example-values.ts';
import { type SubAsk, subAsksOf } from './sub-asks.ts';
import { judgeAsk, type Verdict } from './verdict.ts';

const NOTHING = { field_id: null, estimated_ready_at: null, resume: null } as const;

/** What becomes of a value that is to be built, by the status of its request: nothing is built while anything is in question. */
const WHAT_FOLLOWS: Readonly<Record<ReturnType<typeof settledStatus>, string>> = {
  queued: 'It is queued to be built.',
  awaiting_confirm:
    'It is not queued while another value of this request is in question: settle that one, or file this one by itself.',
  matched: '',
  rejected: '',
};

async function foundAt(ctx: Ctx, name: string, locations: readonly ExampleLocation[]): Promise<Found> {
  const records = (await recordsAt(ctx, [name], locations)).map(at => at[name]!);
  const failed = records.find(({ status }) => status === 'failed');
  if (failed) throw new Error(`${name} could not be read at an example location: ${failed.error ?? failed.notes}`);
  const field = ctx.catalog.fields.get(name)!;
  const { cadence } = ctx.catalog.datasets.get(field.dataset)!;
  return { field, cadence, records, locations, now: ctx.clock.now() };
}

async function dispositionOf(
  ctx: Ctx,
  one: SubAsk,
  verdict: Verdict,
  body: KeptBody,
  locations: readonly ExampleLocation[],
): Promise<Disposition> {
  const { ask } = one;
  if (verdict.kind === 'refused') {
    const { code, explanation, suggestion } = verdict;
    return { ask, disposition: 'refused', ...NOTHING, explanation, code, suggestion };
  }
  if (verdict.kind === 'new') return { ask, disposition: 'accepted_new', ...NOTHING, explanation: `${verdict.why}.` };
  if (verdict.kind === 'unclear') {
    const candidates = verdict.candidates.map(({ name, title }) => ({ field_id: name, title }));
    const explanation = `It cannot be told what you ask for: ${verdict.why}. File again in other words, or name what it is not in constraints.must_not_be.`;
    return { ask, disposition: 'clarify', ...NOTHING, explanation, candidates };
  }
  const found = await foundAt(ctx, verdict.field.name, locations);
  if (verdict.kind === 'near')
    return foundDisposition(one, body, found, '', [verdict.why, ...doubtsOf(one, body, found)]);
  if (isUnmapped(found))
    return {
      ask,
      disposition: 'accepted_new',
      ...NOTHING,
      field_id: verdict.field.name,
      explanation: `${verdict.why}, but nothing of it was ingested at your example locations.`,
    };
  return foundDisposition(one, body, found, verdict.why, doubtsOf(one, body, found));
}

/**
 * Screens a request: each value that it asks for is compared with the catalog, then with the fields' values at the
 * example locations.
 * @throws Error when a field could not be read there; ServiceError fetch_busy; AbortError.
 */
export async function screen(
  ctx: Ctx,
  body: KeptBody,
  locations: readonly ExampleLocation[],
): Promise<readonly Disposition[]> {
  const dispositions: Disposition[] = [];
  for (const one of subAsksOf(body))
    dispositions.push(await dispositionOf(ctx, one, judgeAsk(ctx.catalog, one, body), body, locations));
  const what = WHAT_FOLLOWS[settledStatus(dispositions)];
  return dispositions.map(one =>
    one.disposition === 'accepted_new' ? { ...one, explanation: `${one.explanation} ${what}` } : one,
  );
}

/** The next status for some dispositions: a question comes before building, building before an answer. */
export function settledStatus(
  dispositions: readonly Disposition[],
): Extract<Status, 'awaiting_confirm' | 'queued' | 'matched' | 'rejected'> {
  const has = (...kinds: readonly Disposition['disposition'][]) =>
    dispositions.some(({ disposition }) => kinds.includes(disposition));
  if (has('clarify', 'near_miss')) return 'awaiting_confirm';
  if (has('accepted_new')) return 'queued';
  return has('matched') ? 'matched' : 'rejected';
}
