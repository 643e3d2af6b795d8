import type { StateStore } from '../store.ts';
import type { Watch } from './watch.ts';

/** Milliseconds to wait for the database when the server stops. */
const CLOSE_MS = 2_000;

/** Puts every method of an object, and of the objects it holds, under a watch. */
function watched<T extends object>(concern: T, watch: Watch): T {
  return Object.fromEntries(
    Object.entries(concern).map(([name, value]) => {
      if (typeof value === 'function')
        return [name, (...args: unknown[]) => watch.run(async () => (value as (...a: unknown[]) => unknown)(...args))];
      return [name, typeof value === 'object' && value !== null ? watched(value, watch) : value];
    }),
  ) as T;
}

/** Makes a store in which every call is answered or refused within two seconds. */
export function watchedStore(store: StateStore, watch: Watch): StateStore {
  // Listening to changes waits for no answer, so it is not watched.
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
