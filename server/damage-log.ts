import { DamageNews } from '../query/engine/damage.ts';
import type { Engine } from '../query/engine/engine-interface.ts';

const EVERY_MS = 1_000;

/** Hears of damage. */
interface DamageLog {
  error(detail: object, message: string): void;
  info(detail: object, message: string): void;
}

/** Writes one line for each file of the release that cannot be used, and one when it can again. @returns ends it. */
export function logDamage(engine: Pick<Engine, 'status'>, log: DamageLog): () => void {
  const news = new DamageNews();
  const look = () => {
    // What is wrong with `current` the engine says itself, with the release that goes on.
    const { found, over } = news.next(engine.status().damage.filter(({ file }) => file !== 'current'));
    for (const damage of found) log.error(damage, 'a file of the release cannot be used');
    for (const { file, layers } of over) log.info({ file, layers }, 'a file of the release can be used again');
  };
  const timer = setInterval(look, EVERY_MS).unref();
  return () => clearInterval(timer);
}
