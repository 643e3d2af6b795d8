import type { Move } from '../../state/field-requests/records.ts';
import type { FieldRequestRow } from '../../state/field-requests/row.ts';
import { NEXT, type Status, statesBefore } from '../../state/field-requests/states.ts';
import type { StateStore } from '../../state/store.ts';

/** A step that the request's state does not allow. Nothing changed. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
}

/** Reads a request for an operator. @throws StepRefused when there is none. */
export async function requestOf(state: StateStore, id: string): Promise<FieldRequestRow> {
  const row = await state.fieldRequests.find(id);
  if (!row) throw new StepRefused(`There is no field request ${id}; \`plat requests list\` shows those that there are`);
  return row;
}

function whyNot({ id, status }: FieldRequestRow, to: Status, from: readonly Status[]): string {
  const next = NEXT[status].length > 0 ? `it can become ${NEXT[status].join(', ')}` : 'nothing comes after that';
  return `${id} is ${status} and cannot become ${to}, which it can from ${from.join(', ')}: ${next}. Nothing changed.`;
}

/** Checks, before any work, that a request may take a step. @throws StepRefused when it may not. */
export function requireStep(row: FieldRequestRow, to: Status, from: readonly Status[] = statesBefore(to)): void {
  if (!from.includes(row.status)) throw new StepRefused(whyNot(row, to, from));
}

/**
 * Takes a step of the table of states.
 * @param from fewer states than the table allows, for a command that means only one of several ways.
 * @throws StepRefused, with nothing changed, when the request is in another state, even if it moved only meanwhile.
 */
export async function takeStep(
  state: StateStore,
  { from, ...move }: Omit<Move, 'from'> & { readonly from?: readonly Status[] },
): Promise<FieldRequestRow> {
  const allowed = from ?? statesBefore(move.to);
  const row = await state.fieldRequests.move({ ...move, from: allowed });
  if (row) return row;
  throw new StepRefused(whyNot(await requestOf(state, move.id), move.to, allowed));
}
