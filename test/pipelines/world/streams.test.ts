import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Random } from '../../../pipelines/world/random.ts';
import { filesBelow, root } from '../../house/files.ts';

const sources = [...filesBelow('pipelines/world'), ...filesBelow('datasets/places')].map(path => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));
const streams = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/new Random\(([^;]*?)\)[,;)]|\bstream\('([^']+)'\)/g)].map(([, keys, name]) => ({
    path,
    keys: keys ?? `'${name}'`,
  })),
);

/** Numbers of streams that have no name yet. A new stream has a name: its second key is a text. */
const NUMBERS = 20;

it('streams of random numbers have names, and none has that of another', () => {
  const names = streams.flatMap(({ keys }) => [...keys.matchAll(/'([^']+)'/g)].map(([, name]) => name!));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  const numbered = streams.filter(({ keys }) => !keys.includes("'"));
  const told = numbered.map(({ path, keys }) => `${path}: new Random(${keys})`).join('\n');
  expect(numbered.length, `name the stream in text, as new Random(seed, 'benches'):\n${told}`).toBeLessThanOrEqual(
    NUMBERS,
  );
});

it('the same name is the same stream, another name another one', () => {
  const draw = (...keys: (number | string)[]) =>
    Array.from({ length: 5 }, (_, __, random = new Random(...keys)) => random.next());
  expect(draw(88, 'benches')).toEqual(draw(88, 'benches'));
  expect(draw(88, 'benches')).not.toEqual(draw(88, 'lamps'));
  expect(draw(88, 'benches')).not.toEqual(draw(89, 'benches'));
  // What had a number draws what it drew.
  expect(draw(88, 'hail')).toEqual(draw(88, 122));
});
