import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Random } from '../../../pipelines/world/random.ts';
import { filesBelow, root } from '../../house/files.ts';

const sources = [...filesBelow('pipelines/world'), ...filesBelow('datasets/places')].map(path => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

/** Functions whose first text is the name of a stream: those of a class, and that of datasets with a file of their own. */
const NAMING = /(?:#(?:points|places)\(\s*|\baround\(lattice, seed, |\bstream\()'([^']+)'/g;
/** Keys of streams whose name is told by their caller, or is one of two numbers. */
const TOLD = /\bstream\b|\bname\b|front\.north|column, row$/;

it('streams of random numbers have names, and none has that of another', () => {
  const keyed = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/new Random\(([^;()]*)\)/g)].map(([, keys]) => ({ path, keys: keys!.trim() })),
  );
  const names = [
    ...keyed.flatMap(({ keys }) => [...keys.matchAll(/'([^']+)'/g)].map(([, name]) => name!)),
    ...sources.flatMap(({ text }) => [...text.matchAll(NAMING)].map(([, name]) => name!)),
  ];
  expect(names.length).toBeGreaterThan(35);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  const nameless = keyed.filter(({ keys }) => !keys.includes("'") && !TOLD.test(keys));
  expect(
    nameless.map(({ path, keys }) => `${path}: new Random(${keys})`),
    "name the stream in text, as new Random(seed, 'benches')",
  ).toEqual([]);
});

it('the same name is the same stream, another name another one', () => {
  const draw = (...keys: (number | string)[]) => {
    const random = new Random(...keys);
    return Array.from({ length: 5 }, () => random.next());
  };
  expect(draw(88, 'benches')).toEqual(draw(88, 'benches'));
  expect(draw(88, 'benches')).not.toEqual(draw(88, 'lamps'));
  expect(draw(88, 'benches')).not.toEqual(draw(89, 'benches'));
  // What had a number draws what it drew.
  expect(draw(88, 'hail')).toEqual(draw(88, 122));
});
