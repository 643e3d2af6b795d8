import type { StateStore } from '../store.ts';
import type { Watch } from './watch.ts';

/** Milliseconds to wait for the database when the server ends. */
const CLOSE_MS = 2_000;

/** The same object with every method under a watch, those of what it holds too. */
function watched<T extends object>(concern: T, watch: Watch): T {
  return Object.fromEntries(
    Object.entries(concern).map(([name, value]) => {
      if (typeof value === 'function')
        return [name, (...args: unknown[]) => watch.run(async () => (value as (...a: unknown[]) => unknown)(...args))];
      return [name, typeof value === 'object' && value !== null ? watched(value, watch) : value];
    }),
  ) as T;
}

/** A store whose every call is answered or refused within two seconds. */
export function watchedStore(store: StateStore, watch: Watch): StateStore {
  // Who listens to changes waits for no answer.
  const { health: _, close, changes, ...concerns } = store;
  watch.probe = () => store.probe();
  return {
    ...watched(concerns, watch),
    health: watch,
    changes,
    async close() {
      watch.close();
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>(resolve => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([close(), limit]);
      clearTimeout(timer);
    },
  };
}
