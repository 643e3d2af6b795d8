import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A step of a walk of CONTRIBUTING.md: a new file, or lines that are added to one. */
export interface Step {
  readonly kind: 'ts' | 'diff';
  readonly path: string;
  readonly text: string;
}

const BLOCK = /^```(ts|diff)\n\/\/ file: (\S+)\n([\s\S]*?)^```$/gm;

/** The walks of the page by their titles. */
export function walksOf(page: string): ReadonlyMap<string, readonly Step[]> {
  const walks = page
    .split(/^## /m)
    .filter(part => part.startsWith('A walk: '))
    .map(part => {
      const steps = [...part.matchAll(BLOCK)].map(
        ([, kind, path, text]): Step => ({ kind: kind as Step['kind'], path: path!, text: text! }),
      );
      return [part.split('\n', 1)[0]!, steps] as const;
    });
  return new Map(walks);
}

/**
 * A file with the lines of a step added. Hunks are parted by `@@`; a line that begins with a space, or is empty, stands in the file, and
 * the lines of a hunk stand there once, one after the other.
 * @throws Error when a hunk has no place, or several.
 */
export function withLines(file: string, { path, text }: Step): string {
  return text.split(/^@@\n/m).reduce((whole, hunk) => {
    const lines = hunk.replace(/\n$/, '').split('\n');
    const present = lines.filter(line => !line.startsWith('+')).map(line => line.slice(1));
    const added = lines.map(line => line.slice(1));
    const pieces = `\n${whole}`.split(`\n${present.join('\n')}\n`);
    if (pieces.length !== 2)
      throw new Error(
        `${path}: these lines of a step of CONTRIBUTING.md stand there ${pieces.length - 1} times:\n${present.join('\n')}`,
      );
    return pieces.join(`\n${added.join('\n')}\n`).slice(1);
  }, file);
}

/** Takes a step in a copy of the project. @param folder its root. @throws Error when it cannot be taken. */
export function take(step: Step, folder: string): void {
  const path = join(folder, step.path);
  mkdirSync(dirname(path), { recursive: true });
  if (step.kind === 'ts') writeFileSync(path, step.text, { flag: 'wx' });
  else writeFileSync(path, withLines(readFileSync(path, 'utf8'), step));
}
