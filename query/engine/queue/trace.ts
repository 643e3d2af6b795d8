import { AsyncLocalStorage } from 'node:async_hooks';
import type { TaskName } from '../tasks.ts';

/** A task that ended, for whoever traces its request. Times are of `performance.now()`. */
export interface TaskTimes {
  readonly kind: TaskName;
  readonly queuedAt: number;
  /** When a worker was given it; 0 where none was. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/** The trace that what runs belongs to, as W3C Trace Context has it. */
export interface Trace {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits: what a request that is sent on names as its parent. */
  readonly spanId: string;
  readonly sampled: boolean;
  /** What other systems say of the trace, passed on as it came. */
  readonly state: string | null;
  /** Is told of each task of workers; absent where nobody records them. */
  readonly task?: (times: TaskTimes) => void;
}

/** The trace of what runs now; undefined where there is none. */
export const tracing = new AsyncLocalStorage<Trace>();
