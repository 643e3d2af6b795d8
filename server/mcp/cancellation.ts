/** Running calls that another request of the same client can cancel. */
export interface Cancellation {
  /** Runs a call under the name by which its client can cancel it; null when it has none. */
  run<T>(name: string | null, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  cancel(name: string): void;
}

/**
 * Makes the register of running calls. Clients of protocol versions before 2026-07 cancel with a separate request,
 * which has only the id of the call; here a name is account, client and id. Later clients close the connection of the
 * call.
 */
export function createCancellation(): Cancellation {
  const running = new Map<string, AbortController>();
  return {
    async run(name, work) {
      const controller = new AbortController();
      if (name !== null) running.set(name, controller);
      try {
        return await work(controller.signal);
      } finally {
        if (name !== null && running.get(name) === controller) running.delete(name);
      }
    },
    cancel: name => running.get(name)?.abort(),
  };
}
