import { setImmediate as turn } from 'node:timers/promises';
import type { Field } from '../../datasets/dataset.ts';
import { Fault, Interrupted } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import type { Area, AreaContext, AreaFinding } from './area/area.ts';
import { questionOf } from './context.ts';
import { type Evaluation, openPoint } from './evaluate.ts';
import { failed } from './finding.ts';
import { AREA_FORMS } from './operators/area-forms.ts';

/** Milliseconds that an evaluation has its thread before others may use it. */
const TURN_MS = 8;
/** Longest time that one field may take over an area: milliseconds. */
const FIELD_LIMIT_MS = 30_000;

/** One area of one release, ready to be asked. */
interface AreaEvaluation {
  readonly ctx: AreaContext;
  /** Null where the field's operator has no area form, or the call means nothing of an area. */
  answer(field: Field): Promise<AreaFinding | null>;
  /** Does other work within the time of one field, whose end `check` and `pause` tell it. */
  within<T>(work: () => Promise<T>): Promise<T>;
}

/** Opens an area for the area forms of operators. @throws Interrupted, from what it gives, when `stopped` says so. */
export function openArea(area: Area, evaluation: Evaluation, layers: Layers): AreaEvaluation {
  const { deadline, stopped = () => false } = evaluation;
  const { ctx: at } = openPoint(area.point, evaluation, layers);
  let fieldDeadline = deadline;
  let since = performance.now();
  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() < fieldDeadline) return;
    const seconds = FIELD_LIMIT_MS / 1000;
    const late =
      fieldDeadline >= deadline ? 'the time for this site was up' : `the source took longer than ${seconds} s`;
    throw new Fault(late, true);
  };
  const ctx: AreaContext = {
    ...at,
    area,
    check,
    pause() {
      if (performance.now() - since < TURN_MS) return;
      check();
      return turn().then(() => {
        since = performance.now();
      });
    },
  };
  const within = <T>(work: () => Promise<T>): Promise<T> => {
    fieldDeadline = Math.min(deadline, Date.now() + FIELD_LIMIT_MS);
    return work();
  };
  return {
    ctx,
    within,
    async answer(field) {
      const { expression } = field;
      const form = AREA_FORMS.get(expression.op);
      if (!form) return null;
      try {
        return await within(async () => {
          await ctx.pause();
          check();
          return form.over(ctx, expression, questionOf(field));
        });
      } catch (error) {
        return failed(error);
      }
    },
  };
}
