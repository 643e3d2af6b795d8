/** Limits how much work of one kind runs at once. Work beyond the limit is refused, not queued. */
export interface Gate {
  /** @returns a function that ends the visit, or null when the gate is full. */
  enter(): (() => void) | null;
}

/** Makes a gate. @param limit visits at the same time, at least 1. */
export function createGate(limit: number): Gate {
  let inside = 0;
  return {
    enter() {
      if (inside >= limit) return null;
      inside++;
      let left = false;
      return () => {
        if (!left) inside--;
        left = true;
      };
    },
  };
}
