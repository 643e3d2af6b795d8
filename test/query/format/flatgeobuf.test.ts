import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { geojson } from 'flatgeobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from '../../../datasets/geometry.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { DamagedFile } from '../../../query/format/damaged-file.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { COLUMNS, dice, geometryOf, scratch, square } from '../../ingest/writers/samples.ts';

const LONG = process.env.PLAT_TEST === 'long';

const folder = scratch();
const COUNT = 1000;
let path: string;
let file: FeatureFile;

beforeAll(async () => {
  path = join(folder, 'squares.fgb');
  const random = dice(11);
  const writer = await createFlatGeobuf(path, { name: 'squares', title: 'Squares', columns: COLUMNS });
  for (let i = 0; i < COUNT; i++)
    await writer.write(square(i, random() * 300 - 150, random() * 140 - 70, random() * 5));
  await writer.finish();
  file = new FeatureFile(path);
});
afterAll(() => file.close());

function found(box: Box): number[] {
  const features: number[] = [];
  file.search(box, feature => {
    features.push(feature);
  });
  return features;
}

function brute(box: Box): number[] {
  const all = Array.from({ length: file.count }, (_, i) => i);
  return all.filter(i => {
    const own = file.box(i);
    return own[0] <= box[2] && own[2] >= box[0] && own[1] <= box[3] && own[3] >= box[1];
  });
}

describe('FeatureFile', () => {
  it('tells what it holds', () => {
    expect([file.title, file.count, file.columns]).toEqual(['Squares', COUNT, Object.keys(COLUMNS)]);
    const ids = Array.from({ length: COUNT }, (_, i) => file.properties(i).ID as number);
    expect([...ids].sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, i) => i));
  });

  it('finds in file order what brute force finds', () => {
    const random = dice(5);
    for (let k = 0; k < 200; k++) {
      const [x, y] = [random() * 320 - 160, random() * 160 - 80];
      const box: Box = [x, y, x + random() * 40, y + random() * 40];
      expect(found(box)).toEqual(brute(box));
    }
    expect(found([-180, -90, 180, 90])).toHaveLength(COUNT);
    expect(found([170, 80, 180, 90])).toEqual([]);
  });

  it('passes over the features before a given one', () => {
    const random = dice(6);
    for (let k = 0; k < 200; k++) {
      const [x, y] = [random() * 320 - 160, random() * 160 - 80];
      const box: Box = [x, y, x + random() * 80, y + random() * 80];
      const from = Math.floor(random() * (COUNT + 2));
      const features: number[] = [];
      file.search(box, feature => features.push(feature), from);
      expect(features).toEqual(brute(box).filter(feature => feature >= from));
    }
  });

  it('decodes the columns of a mask alone', () => {
    const pick = file.columnPick(['ID', 'no such column']);
    for (const i of [0, 17, COUNT - 1]) expect(file.pick(i, pick)).toEqual({ ID: file.properties(i).ID });
  });

  it('counts touching edges as meeting', () => {
    const [minX, , , maxY] = file.box(17);
    expect(found([minX - 1, maxY, minX, maxY + 1])).toContain(17);
  });

  it('ends a search when the visitor says so, and lets it search meanwhile', () => {
    const seen: number[] = [];
    file.search([-180, -90, 180, 90], feature => {
      expect(found(file.box(feature))).toContain(feature);
      seen.push(feature);
      return seen.length < 3;
    });
    expect(seen).toEqual([0, 1, 2]);
  });

  it('has a tree whose accessors reach every feature once, inside its parents', () => {
    const { index } = file;
    const features: number[] = [];
    const walk = (node: number): void => {
      if (index.isLeaf(node)) {
        features.push(index.featureOf(node));
        expect(index.leafOf(index.featureOf(node))).toBe(node);
        return;
      }
      const [first, end] = [index.childOf(node), index.childEnd(node)];
      expect(end - first).toBeGreaterThan(0);
      expect(end - first).toBeLessThanOrEqual(16);
      for (let child = first; child < end; child++) {
        for (let i = 0; i < 2; i++) {
          expect(index.boxes[child * 4 + i]).toBeGreaterThanOrEqual(index.boxes[node * 4 + i]!);
          expect(index.boxes[child * 4 + i + 2]).toBeLessThanOrEqual(index.boxes[node * 4 + i + 2]!);
        }
        walk(child);
      }
    };
    walk(0);
    expect(features).toEqual(Array.from({ length: COUNT }, (_, i) => i));
    expect(index.levelBounds).toEqual([
      [68, 1068],
      [5, 68],
      [1, 5],
      [0, 1],
    ]);
    expect(index.nodeCount).toBe(1068);
  });

  it.each([1, 2, 16, 17, 256, 257])('reads a layer of %i features', async count => {
    const small = join(folder, `${count}.fgb`);
    const writer = await createFlatGeobuf(small, { name: 's', columns: COLUMNS, order: 'input' });
    for (let i = 0; i < count; i++) await writer.write(square(i, i % 20, i / 20, 0.5));
    await writer.finish();
    const opened = new FeatureFile(small);
    const all: unknown[] = [];
    opened.search([-180, -90, 180, 90], i => {
      all.push(opened.properties(i).ID);
    });
    opened.close();
    expect(all).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  it('reads what GDAL writes', { tags: ['GDAL'] }, () => {
    const theirs = join(folder, 'gdal.fgb');
    execFileSync('ogr2ogr', ['-f', 'FlatGeobuf', '-nlt', 'PROMOTE_TO_MULTI', theirs, path]);
    const opened = new FeatureFile(theirs);
    expect(opened.count).toBe(COUNT);
    const own = new Map(Array.from({ length: COUNT }, (_, i) => [file.properties(i).ID, i]));
    opened.search([-180, -90, 180, 90], i => {
      const { geometry, properties } = opened.feature(i);
      const mine = file.feature(own.get(properties.ID!)!);
      expect({ ...properties, BUILT: mine.properties.BUILT }).toEqual(mine.properties);
      expect(geometry).toEqual({ ...mine.geometry, type: 'MultiPolygon' });
      own.delete(properties.ID!);
    });
    expect(own.size).toBe(0);
    opened.close();
  });

  it('refuses a file without index', () => {
    const plain = join(folder, 'plain.fgb');
    const collection = { type: 'FeatureCollection', features: [feature(1), feature(2)] } as const;
    writeFileSync(plain, geojson.serialize(collection as never));
    expect(() => new FeatureFile(plain)).toThrow(/plain\.fgb is damaged: it has no index/);
  });

  it('says when a feature does not exist or the file is closed', () => {
    expect(() => file.geometry(COUNT)).toThrow(RangeError);
    expect(() => file.box(-1)).toThrow(/expected a whole number below 1000/);
    const other = new FeatureFile(path);
    // Before anything was read, too.
    expect(() => other.geometry(-1)).toThrow(/expected a whole number below 1000/);
    other.close();
    other.close();
    expect(() => other.geometry(0)).toThrow(/closed/);
  });
});

const feature = (id: number) => ({
  type: 'Feature',
  properties: { id },
  geometry: { type: 'Point', coordinates: [id, id] },
});

/** Reads everything; the first damage found, or null when all was readable. */
function readAll(damaged: string): DamagedFile | null {
  let opened: FeatureFile | undefined;
  let damage: DamagedFile | null = null;
  try {
    opened = new FeatureFile(damaged);
    for (let i = 0; i < opened.count; i++)
      try {
        opened.feature(i);
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error;
        damage ??= error;
      }
    opened.search([-180, -90, 180, 90], () => {});
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    damage ??= error;
  } finally {
    opened?.close();
  }
  return damage;
}

describe('a damaged FeatureFile', () => {
  let good: Buffer;
  let bad: string;
  beforeAll(async () => {
    const source = join(folder, 'mixed.fgb');
    const writer = await createFlatGeobuf(source, { name: 'mixed', title: 'Mixed', columns: COLUMNS });
    for (let i = 0; i < 20; i++) await writer.write(square(i, i, -i, 2));
    const geometry = geometryOf('MultiPolygon', [
      [
        [0, 0, 9, 0, 9, 9, 0, 0],
        [5, 1, 6, 2, 6, 1, 5, 1],
      ],
      [[20, 20, 21, 20, 21, 21, 20, 20]],
    ]);
    await writer.write({ properties: { NAME: 'two parts', SEEN: '2026-01-02T03:04:05.678Z' }, geometry });
    await writer.write({
      properties: {},
      geometry: geometryOf('MultiLineString', [
        [
          [0, 0, 1, 1],
          [5, 5, 6, 6],
        ],
      ]),
    });
    await writer.finish();
    good = readFileSync(source);
    bad = join(folder, 'bad.fgb');
    expect(readAll(source)).toBeNull();
  });

  it('is found at every length shorter or longer than it should be', () => {
    for (let length = 0; length < good.length; length += 7) {
      writeFileSync(bad, good.subarray(0, length));
      expect(readAll(bad), `cut at ${length}`).toBeInstanceOf(DamagedFile);
    }
    writeFileSync(bad, Buffer.concat([good, Buffer.alloc(8)]));
    expect(readAll(bad)).toBeInstanceOf(DamagedFile);
  });

  it('never does worse than a DamagedFile when any one bit is flipped, and shows most flips', () => {
    let shown = 0;
    let tried = 0;
    for (let bit = 0; bit < good.length * 8; bit += LONG ? 11 : 37) {
      const bytes = Buffer.from(good);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(bad, bytes);
      if (readAll(bad)) shown++;
      tried++;
    }
    // Flips in padding, names and values cannot be told from data.
    expect(shown / tried).toBeGreaterThan(0.5);
  });

  it('never does worse when whole stretches are garbage', () => {
    const random = dice(23);
    for (let k = 0; k < (LONG ? 1000 : 300); k++) {
      const bytes = Buffer.from(good);
      const from = Math.floor(random() * bytes.length);
      const to = Math.min(bytes.length, from + Math.ceil(random() * 64));
      for (let i = from; i < to; i++) bytes[i] = random() < 0.3 ? 0xff : Math.floor(random() * 256);
      writeFileSync(bad, bytes);
      readAll(bad);
    }
    expect(readAll(path)).toBeNull();
  });

  it('says what is wrong without naming folders', () => {
    writeFileSync(bad, 'no such thing at all');
    const damage = readAll(bad)!;
    expect(damage.message).toBe('bad.fgb is damaged: it is no FlatGeobuf version 3');
    expect(damage.path).toBe('bad.fgb');
    expect(readAll(join(folder, 'missing.fgb'))!.message).toBe('missing.fgb is damaged: it cannot be opened (ENOENT)');
  });

  it('shows a coordinate that left its box', () => {
    const bytes = Buffer.from(good);
    const at = bytes.lastIndexOf(Buffer.from(Float64Array.of(5, 5, 6, 6).buffer));
    bytes.writeDoubleLE(5.5, at);
    bytes.writeDoubleLE(99, at + 24);
    writeFileSync(bad, bytes);
    expect(readAll(bad)!.message).toMatch(/feature \d+ cannot be decoded \(its coordinates do not fill its box/);
  });
});
