const EVERY_MS = 10_000;

/**
 * Stores every ten seconds which tokens and grants were used, so that requests need not write it.
 * @param noted each notes uses in memory until it is told to store them.
 * @param failed is told of a failure.
 * @returns a function that stops it, after the last uses are stored.
 */
export function keepNoting(
  noted: readonly { noteUses(): Promise<void> }[],
  failed: (error: unknown) => void,
): () => Promise<void> {
  let round = Promise.resolve();
  const note = () => {
    round = round
      .then(() => Promise.all(noted.map(one => one.noteUses())))
      .then(() => {})
      .catch(failed);
    return round;
  };
  const timer = setInterval(note, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return note();
  };
}
