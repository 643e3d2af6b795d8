import type { TokenService } from './token.ts';

const EVERY_MS = 10_000;

/**
 * Stores every ten seconds which tokens were used, so that requests need not write it.
 * @param failed is told of a failure.
 * @returns a function that stops it, after the last uses are stored.
 */
export function keepNoting(tokens: TokenService, failed: (error: unknown) => void): () => Promise<void> {
  let round = Promise.resolve();
  const note = () => {
    round = round.then(() => tokens.noteUses()).catch(failed);
    return round;
  };
  const timer = setInterval(note, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return note();
  };
}
