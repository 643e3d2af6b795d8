import type { TokenService } from './token.ts';

const EVERY_MS = 10_000;

/**
 * Notes every ten seconds which tokens were used, so that no request writes it.
 * @param failed hears of a failure.
 * @returns stops it, once the last uses are noted.
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
