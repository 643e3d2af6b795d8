import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/**
 * Collects what nothing refers to any more in the heap of this thread, and has V8 give its memory back. It collects by
 * itself when it needs memory for something new, which may be hours after the last request.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
