/** States of a field request in their usual order (docs/field-requests.md). */
export const STATUSES = [
  'received',
  'screening',
  'matched',
  'awaiting_confirm',
  'rejected',
  'queued',
  'claimed',
  'building',
  'in_review',
  'approved',
  'publishing',
  'live',
  'blocked',
  'expired',
] as const;
export type Status = (typeof STATUSES)[number];

/** The states that can follow each state. Final states have none. */
export const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  received: ['screening', 'blocked'],
  screening: ['matched', 'awaiting_confirm', 'rejected', 'queued', 'blocked'],
  awaiting_confirm: ['expired', 'blocked'],
  queued: ['claimed', 'blocked'],
  claimed: ['building', 'queued', 'blocked'],
  building: ['in_review', 'queued', 'blocked'],
  in_review: ['approved', 'building', 'blocked'],
  approved: ['publishing', 'blocked'],
  publishing: ['live', 'blocked'],
  matched: [],
  rejected: [],
  live: [],
  blocked: [],
  expired: [],
};

/** States that can lead to this one. */
export const statesBefore = (to: Status): readonly Status[] => STATUSES.filter(from => NEXT[from].includes(to));

/** Whether a state is final. */
export const isSettled = (status: Status): boolean => NEXT[status].length === 0;

/** States in which somebody works on the ticket. */
export const IN_WORK: readonly Status[] = ['claimed', 'building', 'in_review', 'approved', 'publishing'];
