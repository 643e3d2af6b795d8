import type { Catalog } from '../../datasets/catalog.ts';
import type { CorrectionMove } from '../state/corrections/moves.ts';
import type { CorrectionRow } from '../state/corrections/row.ts';
import { type Status, statesBefore } from '../state/corrections/states.ts';
import type { StateStore } from '../state/store.ts';
import { correctableField, sameNames, touchedNames } from './correctable.ts';
import { newsOf } from './delivery-job.ts';

/** A step that may not be taken, and why. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
}

type Corrections = Pick<StateStore, 'corrections'>;
type Signed = Pick<CorrectionMove, 'id' | 'by' | 'reason' | 'now'>;

/** A correction of any account. @throws StepRefused when there is none. */
async function correctionOf({ corrections }: Corrections, id: string): Promise<CorrectionRow> {
  const row = await corrections.correction(id);
  if (!row) throw new StepRefused(`There is no correction ${id}: \`plat corrections list\` shows those there are`);
  return row;
}

/** Outcome of a review. */
export type CorrectionStanding = Pick<CorrectionRow, 'id' | 'status'>;

/** Takes a step of whoever reviews. @throws StepRefused when it may not be taken. */
export async function takeStep(
  state: Corrections,
  to: Status,
  step: Signed & Pick<CorrectionMove, 'entry'>,
): Promise<CorrectionStanding> {
  const moved = await state.corrections.move({ ...step, to, news: newsOf });
  if (moved) return moved;
  // What was accepted is told also when its filer is gone, and can be taken back.
  if (to === 'rejected' && (await state.corrections.withdraw(step.id))) return { id: step.id, status: to };
  const { status } = await correctionOf(state, step.id);
  throw new StepRefused(`${step.id} is ${status}; it must be ${statesBefore(to).join(' or ')} to become ${to}`);
}

/**
 * Lets answers tell a correction from now on.
 * @throws StepRefused as takeStep; ShapeError or ServiceError when this build cannot correct its field any more.
 */
export async function acceptCorrection(
  state: Corrections,
  catalog: Catalog,
  step: Signed,
): Promise<CorrectionStanding> {
  const { field, value, place, evidence } = await correctionOf(state, step.id);
  return takeStep(state, 'accepted', {
    ...step,
    entry: {
      correction_id: step.id,
      field,
      also: sameNames(catalog, field),
      touches: touchedNames(catalog, field),
      dataset: correctableField(catalog, field).dataset,
      value,
      ...place,
      evidence_url: evidence.url ?? null,
      accepted_at: new Date(step.now).toISOString(),
    },
  });
}
