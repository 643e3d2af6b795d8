/** Calls that run here and may be cancelled by another request of the same client. */
export interface Cancellation {
  /** Runs a call under the name that its client would cancel it by. Null: it has none. */
  run<T>(name: string | null, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  cancel(name: string): void;
}

/**
 * Clients of protocol versions before 2026-07 cancel by a request of its own, which names only the id of the call: the name
 * here is of account, client and id. Later ones close the connection of the call.
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
