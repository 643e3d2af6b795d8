/**
 * Does tasks of one kind, which are plain data: the threads of this process (overlay/crew.ts), or workers on other machines that
 * take them from PostgreSQL (overlay/remote-crew.ts). What a task makes is the same either way.
 */
export interface TaskQueue<T, R> {
  /** How many calls of `run` are worth making at the same time. */
  readonly atOnce: number;
  /**
   * @param done called with the result of each task as soon as it is there.
   * @throws the first failure, or every one where others go on meanwhile; the reason of the signal when it aborts.
   */
  run<Some extends T>(
    tasks: readonly Some[],
    done: (task: Some, result: R) => void,
    signal?: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
}
