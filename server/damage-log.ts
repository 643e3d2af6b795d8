import { DamageNews } from '../query/engine/damage.ts';
import type { Engine } from '../query/engine/engine-interface.ts';

const EVERY_MS = 1_000;

/** Receives the lines about damage. */
interface DamageLog {
  error(detail: object, message: string): void;
  info(detail: object, message: string): void;
}

/**
 * Logs one line for each damaged file of the release, and one when it can be used again. @returns a function to stop.
 */
export function logDamage(engine: Pick<Engine, 'status'>, log: DamageLog): () => void {
  const news = new DamageNews();
  const look = () => {
    // The engine itself reports faults of `current`, with the release it goes on with.
    const { found, over } = news.next(engine.status().damage.filter(({ file }) => file !== 'current'));
    for (const damage of found) log.error(damage, 'a file of the release cannot be used');
    for (const { file, layers } of over) log.info({ file, layers }, 'a file of the release can be used again');
  };
  const timer = setInterval(look, EVERY_MS).unref();
  return () => clearInterval(timer);
}
