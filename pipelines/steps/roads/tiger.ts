import { TIGER_SPEEDS } from '../../../datasets/codes/road-speeds.ts';
import type { RoadModel } from './way.ts';

/** Roads of TIGER/Line: a class each, and every one open both ways. */
export const tiger: RoadModel = {
  id: () => null,
  way({ MTFCC }) {
    const speed = TIGER_SPEEDS[String(MTFCC)];
    return speed === undefined ? null : { forward: speed, backward: speed };
  },
  turn: () => null,
};
