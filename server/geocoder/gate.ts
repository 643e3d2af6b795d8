import { Lease } from '../lease/lease.ts';

/** Limits how much work of one kind runs at once. Work beyond the limit is refused, not queued. */
export interface Gate {
  /** @returns the lease of a visit, to be released when its work has ended, or null when the gate is full. */
  enter(): Lease | null;
}

/** Makes a gate. @param limit visits at the same time, at least 1. */
export function createGate(limit: number): Gate {
  let inside = 0;
  return {
    enter() {
      if (inside >= limit) return null;
      inside++;
      return new Lease('gate', () => {
        inside--;
      });
    },
  };
}
