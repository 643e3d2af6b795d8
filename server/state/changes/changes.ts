import { EventEmitter } from 'node:events';
import type { Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * What tells those who wait for something in the state that it may have changed. Hearing is a hint to look, and not
 * hearing proves nothing: who listens looks now and then all the same.
 */
export interface Changes {
  /** Whether other processes are heard. Where they are not, who waits must look more often. */
  readonly acrossProcesses: boolean;
  /** Tells those who listen to a topic, once the transaction has committed. */
  tellIn(tx: Transaction<Tables>, topic: string): Promise<void>;
  /** @returns ends it. */
  listen(topic: string, hear: () => void): () => void;
  close(): Promise<void>;
}

/** Those who listen in this process, by topic. */
export function listeners(): { readonly tell: (topic: string) => void; readonly tellAll: () => void } & Pick<
  Changes,
  'listen'
> {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    tell: topic => emitter.emit(`:${topic}`),
    tellAll() {
      for (const name of emitter.eventNames()) emitter.emit(name);
    },
    listen(topic, hear) {
      emitter.on(`:${topic}`, hear);
      return () => emitter.off(`:${topic}`, hear);
    },
  };
}

/** Changes that are heard in the process that made them. */
export function changesWithin(): Changes {
  const { tell, listen } = listeners();
  return {
    acrossProcesses: false,
    // A read that follows waits for the transaction; where that is undone there is nothing to see.
    async tellIn(_tx, topic) {
      setImmediate(tell, topic);
    },
    listen,
    close: async () => {},
  };
}
