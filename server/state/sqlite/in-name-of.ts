import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/**
 * Runs work on the state store in someone's name.
 * @param owner account, or another one who is served in turn.
 */
export const inNameOf = <T>(owner: string, work: () => T): T => current.run(owner, work);

/** In whose name this runs; the empty text where nobody said. */
export const currentOwner = (): string => current.getStore() ?? '';
