import type { Disposition } from '../../state/field-requests/disposition.ts';
import type { Status } from '../../state/field-requests/states.ts';

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
