/** Why the last release of the store is not the current one. */
export interface ReplicaProblem {
  /** For everybody. */
  readonly shown: string;
  /** For the log: with addresses. */
  readonly logged: string;
}

/** What a replica says of its pulls. */
export interface ReplicaState {
  /** Number in the store of the release that was pulled last; 0 while none was. */
  readonly number: number;
  /** Bytes downloaded since the start. */
  readonly bytes: number;
  /** How far the pull that runs has come, in bytes; null where none runs. */
  readonly progress: { readonly bytes: number; readonly of: number } | null;
  /** Null where nothing is wrong. */
  readonly problem: ReplicaProblem | null;
}

/** A server that follows a store. */
export interface Replica {
  /** What it said last. */
  readonly state: ReplicaState;
  /** Ends a pull that runs; the next start goes on with it. */
  close(): Promise<void>;
}

/** What is said before the first look. */
export const UNSEEN: ReplicaState = { number: 0, bytes: 0, progress: null, problem: null };
