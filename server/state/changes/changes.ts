import { EventEmitter } from 'node:events';
import type { Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * Tells listeners that something in the state may have changed. A notice is only a hint to look, and notices can get
 * lost. Therefore listeners must also look from time to time.
 */
export interface Changes {
  /** Whether notices of other processes arrive now. If not, listeners must look more often. */
  readonly acrossProcesses: boolean;
  /** Notifies the listeners of a topic when the transaction has committed. */
  tellIn(tx: Transaction<Tables>, topic: string): Promise<void>;
  /** Starts to listen. @returns a function that ends it. */
  listen(topic: string, hear: () => void): () => void;
  close(): Promise<void>;
}

/** The listeners of this process, by topic. */
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

/** Changes that only the process that makes them hears about. */
export function changesWithin(): Changes {
  const { tell, listen } = listeners();
  return {
    acrossProcesses: false,
    // A reader waits for the transaction; when it is rolled back, there is nothing to see.
    async tellIn(_tx, topic) {
      setImmediate(tell, topic);
    },
    listen,
    close: async () => {},
  };
}
