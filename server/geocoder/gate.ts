/** How much work of one kind runs at once: what comes on top is refused instead of queued. */
export interface Gate {
  /** @returns ends the visit, or null when the gate is full. */
  enter(): (() => void) | null;
}

/** @param limit of visits at the same time, at least 1. */
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
