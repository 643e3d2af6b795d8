import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FAULTS, type Fault } from './faults.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The text of a file with a fault in it. @throws Error unless what it replaces stands there once. */
export function withFault(text: string, { file, from, to, name }: Fault): string {
  const pieces = text.split(from);
  if (pieces.length !== 2) throw new Error(`${file}: what "${name}" replaces stands there ${pieces.length - 1} times`);
  return pieces.join(to);
}

/** Has modules that are imported from now on loaded with a fault. @param nth of the list. */
export function plant(nth: number): Fault {
  const fault = FAULTS[nth]!;
  const path = join(ROOT, fault.file);
  // Said at once, though nobody imports it.
  withFault(readFileSync(path, 'utf8'), fault);
  const planted = pathToFileURL(path).href;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      return url === planted ? { ...loaded, source: withFault(String(loaded.source), fault) } : loaded;
    },
  });
  return fault;
}
