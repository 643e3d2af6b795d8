import { type Logger, pino } from 'pino';
import { heard } from './logged.ts';

/** A logger of everything, heard. */
export const heardLogger = (): Logger => pino({ level: 'trace' }, { write: heard });

/** Hears a logger beside whatever it writes to. */
export function hear<L extends object>(logger: L): L {
  const stream = Reflect.get(logger, pino.symbols.streamSym) as { write(text: string): unknown } | undefined;
  if (!stream) return logger;
  const write = stream.write.bind(stream);
  stream.write = text => {
    heard(text);
    return write(text);
  };
  return logger;
}
