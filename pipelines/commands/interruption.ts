/** Milliseconds in which a command that was told to stop may end what it has begun; a supervisor often waits no more than five seconds. */
const GRACE_MS = 3_000;

/** Why an ingest or a refresh ended that was told to stop, and what goes on with it. */
export const INTERRUPTED = 'interrupted; nothing was published. Go on with it: plat ingest resume';

/**
 * Makes a signal that is aborted by the first SIGINT or SIGTERM. What does not end in three seconds, because a thread is in the
 * middle of a long call, is ended by the signal itself: nothing that was published depends on it, and the next run tidies up.
 * @param reason what the signal is aborted with.
 * @param isAlone whether the thread that receives signals does the work too: they then end the process at once, because nothing of
 *   ours would run before a long call ends.
 */
export function interruption(reason: string, isAlone = false): { readonly signal: AbortSignal; end(): void } {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (name: NodeJS.Signals) => {
    stop.abort(new Error(reason));
    timer = setTimeout(() => {
      end();
      process.stderr.write(`${reason}\n`);
      process.kill(process.pid, name);
    }, GRACE_MS);
    timer.unref();
  };
  const end = () => {
    clearTimeout(timer);
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupt);
  };
  for (const name of isAlone ? [] : (['SIGINT', 'SIGTERM'] as const)) process.once(name, interrupt);
  return { signal: stop.signal, end };
}
