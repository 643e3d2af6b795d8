/** States of a field request (docs/field-requests.md), in the order that one goes through them. */
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

/** Where a request goes from each state. None leads out of the last ones. */
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

/** States that lead to one. */
export const statesBefore = (to: Status): readonly Status[] => STATUSES.filter(from => NEXT[from].includes(to));

/** Whether nothing comes after a state: answered or ended. */
export const isSettled = (status: Status): boolean => NEXT[status].length === 0;

/** States in which somebody holds the ticket. */
export const IN_WORK: readonly Status[] = ['claimed', 'building', 'in_review', 'approved', 'publishing'];
