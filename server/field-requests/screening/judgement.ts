import type { Disposition } from '../../state/field-requests/disposition.ts';
import type { KeptBody } from '../schema.ts';
import { doubtsOf, type Found, foundDisposition, isUnmapped } from './confirmation.ts';
import { settledStatus } from './settled-status.ts';
import type { SubAsk } from './sub-asks.ts';
import type { Verdict } from './verdict.ts';

/** What the catalog says about one value of a request. */
export interface Judgement {
  readonly one: SubAsk;
  readonly verdict: Verdict;
}

const NOTHING = { field_id: null, estimated_ready_at: null, resume: null } as const;

/** What becomes of a value that is to be built, by the status of its request: nothing is built while anything is in question. */
const WHAT_FOLLOWS: Readonly<Record<ReturnType<typeof settledStatus>, string>> = {
  queued: 'It is queued to be built.',
  awaiting_confirm:
    'It is not queued while another value of this request is in question: settle that one, or file this one by itself.',
  matched: '',
  rejected: '',
};

function dispositionOf({ one, verdict }: Judgement, body: KeptBody, found: Found | null): Disposition {
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
  if (found === null) throw new Error(`${verdict.field.name} was not read at the example locations`);
  if (verdict.kind === 'near')
    return foundDisposition(one, body, found, '', [verdict.why, ...doubtsOf(one, body, found)]);
  if (isUnmapped(found))
    return {
      ask,
      disposition: 'accepted_new',
      ...NOTHING,
      field_id: verdict.field.name,
      explanation: `${verdict.why}, but ${found.lack ?? 'nothing of it was ingested at your example locations'}.`,
    };
  return foundDisposition(one, body, found, verdict.why, doubtsOf(one, body, found));
}

/**
 * What becomes of each value of a request. Pure.
 * @param found for each judgement that names a field, what it is at the example locations; null for the others.
 */
export function dispositionsOf(
  body: KeptBody,
  judgements: readonly Judgement[],
  found: readonly (Found | null)[],
): readonly Disposition[] {
  const dispositions = judgements.map((judgement, i) => dispositionOf(judgement, body, found[i] ?? null));
  const what = WHAT_FOLLOWS[settledStatus(dispositions)];
  return dispositions.map(one =>
    one.disposition === 'accepted_new' ? { ...one, explanation: `${one.explanation} ${what}` } : one,
  );
}
