/** States of a correction in their usual order (docs/corrections.md). */
export const STATUSES = ['received', 'in_review', 'accepted', 'rejected', 'superseded'] as const;
export type Status = (typeof STATUSES)[number];

/** States of a correction that nobody has decided yet. */
export const OPEN: readonly Status[] = ['received', 'in_review'];

/** The states that can follow each state. One that was accepted by mistake can still be rejected. */
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  received: ['in_review', 'accepted', 'rejected'],
  in_review: ['accepted', 'rejected'],
  accepted: ['superseded', 'rejected'],
  rejected: [],
  superseded: [],
};

/** States that can lead to this one. */
export const statesBefore = (to: Status): readonly Status[] => STATUSES.filter(from => NEXT[from].includes(to));

/** States of which the filer is told. */
const OUTCOMES = ['accepted', 'rejected', 'superseded'] as const satisfies readonly Status[];
export type Outcome = (typeof OUTCOMES)[number];
export const isOutcome = (status: Status): status is Outcome => (OUTCOMES as readonly Status[]).includes(status);
