import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PlaceError, parsePlace } from '../../../pipelines/place/place-schema.ts';

const LONG = process.env.PLAT_TEST === 'long';

type Json = Record<string, unknown> | unknown[];
const folder = new URL('../../../docs/place-examples/', import.meta.url);
const example = (name: string) => parse(readFileSync(new URL(name, folder), 'utf8'), { merge: true }) as Json;
const GARBAGE = [null, 5, 'x', '', [], {}, true, [null], { a: null }, [[1]], '(', 'a = '];

let turn = 0;
/** Every value with one of its parts replaced by something else, each by so many of them in turn. */
function* spoilt(value: unknown, times: number, rebuild: (part: unknown) => unknown): Generator<unknown> {
  for (let i = 0; i < times; i++) yield rebuild(GARBAGE[turn++ % GARBAGE.length]);
  if (Array.isArray(value))
    for (const [i, part] of value.entries()) yield* spoilt(part, times, p => rebuild(value.with(i, p)));
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) yield* spoilt(part, times, p => rebuild({ ...value, [key]: p }));
}

describe('a place file with anything in any place', () => {
  it.each([
    ['hamlet.yaml', 'hamlet.json'],
    ['state.yaml', 'state.json'],
    // Named as a file of the folder, so that the template is found.
    ['county.yaml', new URL('county.json', folder).pathname],
  ])('is refused with lines that name it, or is right: %s', (name, file) => {
    let tried = 0;
    let refused = 0;
    // The hamlet has twenty times the parts of the others.
    for (const value of spoilt(example(name), name === 'hamlet.yaml' && !LONG ? 1 : 2, part => part)) {
      tried++;
      try {
        parsePlace(JSON.stringify(value), file);
      } catch (error) {
        if (!(error instanceof PlaceError)) throw new Error(JSON.stringify(value), { cause: error });
        refused++;
        for (const line of error.lines) expect(line).toMatch(/\.(json|yaml):\d+:\d+: \S/);
      }
    }
    expect(tried).toBeGreaterThan(30);
    expect(refused).toBeGreaterThan(tried / 2);
  });
});
