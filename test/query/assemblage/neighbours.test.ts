import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { encodeNeighbours, MOST_GAP_M, OVERLAPS, readNeighbours } from '../../../query/assemblage/neighbour-file.ts';
import { neighboursOf } from '../../../query/assemblage/neighbours.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { currentId, openReleaseById } from '../../../query/release/open-release.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { compareWithSamples } from './sampled-neighbours.ts';

/** Metres of a degree about 45° north (Bugayevskiy and Snyder, Map Projections, 1995). */
const [EAST, NORTH] = [78_846.8, 111_131.8];

const folder = mkdtempSync(join(tmpdir(), 'plat-neighbours-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a file of some bytes says. */
function stored(bytes: Uint8Array) {
  const path = join(folder, 'some.nbr');
  writeFileSync(path, bytes);
  return readNeighbours(path);
}

type Corner = readonly [number, number];
const rectangle = (x0: number, y0: number, x1: number, y1: number): Corner[] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

/** The neighbours of polygons whose corners are in metres, as `a-b:width` by their names. */
async function neighbours(polygons: Readonly<Record<string, readonly Corner[]>>): Promise<string[]> {
  const path = join(folder, 'some.fgb');
  const writer = await createFlatGeobuf(path, {
    ...{ name: 'parcels', columns: {}, filled: new Set<string>(), order: 'input', durable: false },
  });
  for (const corners of Object.values(polygons)) {
    const ring = [...corners, corners[0]!].map(([x, y]) => [-68 + x / EAST, 45 + y / NORTH]);
    await writer.write({ geometry: fromGeoJSON({ type: 'Polygon', coordinates: [ring] }), properties: {} });
  }
  await writer.finish();
  const file = new FeatureFile(path);
  const content = await neighboursOf(file);
  file.close();
  expect(stored(encodeNeighbours(content))).toEqual(content);
  const names = Object.keys(polygons);
  return names.flatMap((name, row) =>
    [...content.rows.subarray(content.starts[row], content.starts[row + 1])].flatMap((other, i) => {
      const width = content.widths[content.starts[row]! + i]!;
      return other > row ? [`${name}-${names[other]}:${width === OVERLAPS ? 'overlaps' : width}`] : [];
    }),
  );
}

describe('parcels are neighbours', () => {
  const a = rectangle(0, 0, 50, 50);
  it.each<[string, Readonly<Record<string, readonly Corner[]>>, string[]]>([
    ['where they share a boundary, whatever vertices it has', { a, b: rectangle(50, 20, 90, 40) }, ['a-b:0']],
    ['across a sliver between them', { a, b: rectangle(50.25, 0, 90, 50) }, ['a-b:0']],
    ['where slivers overlap', { a, b: rectangle(49.8, 0, 90, 50) }, ['a-b:0']],
    ['not in a corner', { a, b: rectangle(50, 50, 90, 90) }, []],
    ['not along less than a metre', { a, b: rectangle(50, 49.5, 90, 90) }, []],
    ['along two metres', { a, b: rectangle(50, 48, 90, 90) }, ['a-b:0']],
    ['across a road', { a, b: rectangle(62, 0, 90, 50) }, ['a-b:1200']],
    ['not across a highway', { a, b: rectangle(81, 0, 120, 50) }, []],
    [
      'not across another parcel',
      { a, b: rectangle(62, 0, 90, 50), c: rectangle(51, -10, 61, 60) },
      ['a-c:100', 'b-c:100'],
    ],
    [
      'not across another parcel whose sides are as long',
      { a, b: rectangle(62, 0, 90, 50), c: rectangle(50, 0, 62, 50) },
      ['a-c:0', 'b-c:0'],
    ],
    ['not where much of both is the same ground', { a, b: rectangle(40, 0, 90, 50) }, ['a-b:overlaps']],
    ['not where one lies in the other', { a, b: rectangle(10, 10, 20, 20) }, ['a-b:overlaps']],
    ['once for all rows of one outline', { a, same: a, b: rectangle(50, 0, 90, 50) }, ['a-b:0']],
  ])('%s', async (_, polygons, expected) => {
    const found = await neighbours(polygons);
    const rounded = found.map(pair => pair.replace(/1201|1199/, '1200').replace(/:(101|99)$/, ':100'));
    expect(rounded).toEqual(expected);
  });
});

it('a file that is none is told', () => {
  const good = encodeNeighbours({
    starts: Uint32Array.of(0, 1, 2),
    rows: Uint32Array.of(1, 0),
    widths: Uint16Array.of(0, 0),
  });
  for (const at of [0, 8, 12, 20, 28]) {
    const bad = Uint8Array.from(good);
    bad[at]! ^= 0x40;
    expect(() => stored(bad)).toThrow('it is no file of neighbors');
  }
  expect(() => stored(good.slice(0, -1))).toThrow('it is no file of neighbors');
});

describe('the synthetic area', () => {
  let home: string;
  beforeAll(async () => {
    ({ home } = await syntheticHome());
  }, 120_000);

  it('has the neighbours that walking along every outline finds', async () => {
    const release = openReleaseById(home, currentId(home)!);
    let pairs = 0;
    for (const { files } of release.layer('parcel_store', 'main')!.partitions) {
      const path = (role: string) => join(home, 'releases', files.find(file => file.role === role)!.path);
      const found = readNeighbours(path('neighbours'));
      const { compared, differences } = await compareWithSamples(path('features'), found, MOST_GAP_M, 4);
      expect(differences).toEqual([]);
      pairs += compared;
    }
    expect(pairs).toBeGreaterThan(50);
  }, 60_000);
});
