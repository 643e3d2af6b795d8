import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './files.ts';
import { type Step, walksOf, withLines } from './walk.ts';

const walks = walksOf(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));

/** Files that a newcomer edits at most; what `make docs` writes is aside, and the line of CHANGELOG.md that any change has. */
const MOST: Readonly<Record<string, number>> = { 'A walk: a dataset': 4, 'A walk: an operation': 6 };

/** Whether every line that a step adds stands in a file. */
const isTaken = ({ text }: Step, file: string): boolean =>
  text
    .split('\n')
    .filter(line => /^\+./.test(line))
    .every(line => file.includes(`${line.slice(1)}\n`));

/** What a step imports from files of the project: paths from its root, and names. */
function importsOf({ kind, path, text }: Step): { readonly path: string; readonly names: readonly string[] }[] {
  const lines = kind === 'ts' ? text : text.replaceAll(/^(?:\+(.*)|.*)$/gm, '$1');
  return [...lines.matchAll(/^import (?:type )?([^;']+) from '(\.[^']+)';$/gm)].map(([, clause, from]) => ({
    path: join(dirname(path), from!),
    names: (/\{(.*)\}/s.exec(clause!)?.[1] ?? 'default').split(',').map(name => name.replace(/\btype /, '').trim()),
  }));
}

const isExported = (name: string, text: string) =>
  new RegExp(`^export (?:(?:async |abstract )?(?:const|function\\*?|class|interface|type) )?${name}\\b`, 'm').test(
    text,
  );

describe('the walks of CONTRIBUTING.md', () => {
  it('are two, over few files', () => {
    expect([...walks.keys()]).toEqual(Object.keys(MOST));
    for (const [title, steps] of walks) {
      const files = new Set(steps.map(({ path }) => path).filter(path => path !== 'CHANGELOG.md'));
      expect(files.size, title).toBeGreaterThan(2);
      expect(files.size, title).toBeLessThanOrEqual(MOST[title]!);
    }
  });

  // test/house/walks.long.test.ts takes them in a copy and runs make check there, where they are taken already.
  it.each([...walks])('%s can be taken in this project', (_, steps) => {
    for (const step of steps) {
      const path = join(root, step.path);
      const text = existsSync(path) ? readFileSync(path, 'utf8') : null;
      if (step.kind === 'ts') expect(text ?? step.text, `${step.path} is there already`).toBe(step.text);
      else if (!isTaken(step, text!)) expect(withLines(text!, step).length).toBeGreaterThan(step.text.length);
    }
  });

  // Types are looked at by the long test alone, but what moves or is renamed is seen at once.
  it.each([...walks])('%s imports only what there is', (_, steps) => {
    const imports = steps.flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(4);
    for (const { path, names } of imports) {
      const text = steps.find(step => step.path === path)?.text ?? readFileSync(join(root, path), 'utf8');
      expect(
        names.filter(name => !isExported(name, text)),
        path,
      ).toEqual([]);
    }
  });

  it('a step whose lines are not there is refused, with what was looked for', () => {
    const step = { kind: 'diff', path: 'a.ts', text: ' nothing such\n+more\n' } as const;
    expect(() => withLines('one\ntwo\n', step)).toThrow(/a\.ts: .* 0 times:\nnothing such/s);
    expect(withLines('one\ntwo\n', { ...step, text: ' one\n+more\n' })).toBe('one\nmore\ntwo\n');
  });
});
