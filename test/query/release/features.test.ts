import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { PositionedFile } from '../../../query/format/positioned-file.ts';
import { type Cache, createCache } from '../../../query/release/cache.ts';
import { Features } from '../../../query/release/features.ts';
import { COLUMNS, scratch, square } from '../../ingest/writers/samples.ts';
import { starOf } from '../star.ts';

const reading = vi.spyOn(PositionedFile.prototype, 'readInto');
const readsSoFar = () => reading.mock.calls.length;

const folder = scratch();
let path: string;

/** Four short boundaries and two of 20,000 vertices, some 320 kB each. */
beforeAll(async () => {
  path = join(folder, 'long.fgb');
  const writer = await createFlatGeobuf(path, { name: 'long', title: 'Long', columns: COLUMNS });
  for (let i = 0; i < 6; i++) {
    const short = square(i, -70 + i, 43, 0.5);
    await writer.write(i < 4 ? short : { ...short, geometry: starOf(i, 6660, -70 + i, 43).geometry });
  }
  await writer.finish();
});

/** Asks for a boundary in a cache of so many megabytes, and tells how often the file was read for it. */
function asking(cache: Cache) {
  const file = new FeatureFile(path);
  onTestFinished(() => file.close());
  const features = new Features(file, 'long', cache);
  const plain = new FeatureFile(path);
  onTestFinished(() => plain.close());
  const long = Array.from({ length: file.count }, (_, i) => i).filter(i => plain.geometry(i).xy.length > 1000);
  const reads = (i: number) => {
    const before = readsSoFar();
    const boundary = features.boundary(i);
    const made = readsSoFar() - before;
    expect(boundary).toEqual(plain.geometry(i));
    return made;
  };
  return { long, short: [0, 1, 2, 3, 4, 5].filter(i => !long.includes(i)), reads };
}

it('a long boundary is read once, whatever is asked between', () => {
  const { long, short, reads } = asking(createCache(8));
  expect(long).toHaveLength(2);
  for (const i of long) expect(reads(i)).toBe(1);
  for (const i of short) reads(i);
  for (const i of [...long, ...long]) expect(reads(i)).toBe(0);
});

it('short ones are not kept, and long ones no longer than the cache has room', () => {
  const { long, short, reads } = asking(createCache(0.75));
  reads(short[0]!);
  reads(long[0]!);
  expect(reads(short[0]!)).toBe(1);
  expect(reads(long[0]!)).toBe(0);
  reads(long[1]!);
  expect(reads(long[0]!)).toBe(1);
});
