import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { VectorLayer } from '../../datasets/dataset.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import type { Answer } from '../../query/evaluate/answer.ts';
import { LOOK_MS } from '../../query/release/verified-file.ts';
import { dataset, type Fixture, field, point, type ReleaseSpec, rectangle } from './release-fixture.ts';

/** Numbers in [0, 1), the same for the same seed (Park and Miller's generator). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const county: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'GEOID',
  partition: 'national',
  columns: { GEOID: { type: 'string' } },
};
const zones: VectorLayer = { ...county, joinKey: 'ID', columns: { ID: { type: 'string' }, ZONE: { type: 'string' } } };
const wells: VectorLayer = { ...county, geometry: 'point', joinKey: 'ID', columns: { ID: { type: 'string' } } };

/** One layer of every kind of file, and fields that need one file, several or none of the others. */
export const datasets = [
  dataset('census_tiger', { county }, { fips: field('polygon_attr(census_tiger:county, GEOID)', { type: 'string' }) }),
  dataset('zones', { main: zones }, { zone: field('polygon_attr(zones, ZONE)', { type: 'string' }) }),
  dataset(
    'wells',
    { main: wells },
    {
      well: field('nearest_distance(wells, max_km=50)'),
      wells_within: field('count_within(wells, radius_m=5000)', { type: 'integer' }),
    },
  ),
  dataset(
    'dem',
    { main: { kind: 'raster', bands: 1, sampling: 'bilinear', partition: 'national' } },
    {
      height: field('raster_sample(dem, 1)'),
      twice: field('derived(expr[h * 2], h=@height)', { confidence: 'min_inputs' }),
    },
  ),
  dataset(
    'stats',
    {
      main: {
        kind: 'table',
        key: { column: 'fips', is: 'county_fips' },
        partition: 'national',
        columns: { fips: { type: 'string' }, people: { type: 'integer' } },
      },
    },
    {
      people: field('area_key_attr(stats, key=county_fips, people)'),
      sum: field('derived(expr[p + h], p=@people, h=@height)', { confidence: 'min_inputs' }),
    },
  ),
];

/** The files that can be spoiled, with the fields that must fail then; all others must answer as before. */
export const TARGETS = [
  { what: 'Parquet table', at: ['stats', 'main', 'rows'], fields: ['people', 'sum'] },
  { what: 'FlatGeobuf of polygons', at: ['zones', 'main', 'features'], fields: ['zone'] },
  { what: 'coverage', at: ['zones', 'main', 'coverage'], fields: ['zone'] },
  { what: 'FlatGeobuf of points', at: ['wells', 'main', 'features'], fields: ['well', 'wells_within'] },
  { what: 'FlatGeobuf of area keys', at: ['census_tiger', 'county', 'features'], fields: ['fips', 'people', 'sum'] },
  { what: 'GeoTIFF', at: ['dem', 'main', 'raster'], fields: ['height', 'twice', 'sum'] },
] as const;

export const NAMES = ['fips', 'zone', 'well', 'wells_within', 'height', 'twice', 'people', 'sum'];
export const HERE = { lng: 0.503, lat: 0.504 };

/** @param shift makes another release of the same kind. */
export function release(shift = 0): ReleaseSpec {
  const random = seeded(5 + shift);
  const many = (n: number) => Array.from({ length: n }, (_, i) => i);
  return {
    census_tiger: { county: [{ features: [{ geometry: rectangle([0, 0, 1, 1]), GEOID: '23019' }] }] },
    zones: {
      main: [
        {
          features: many(60).map(i => ({
            geometry: rectangle([
              (i % 10) / 10,
              Math.floor(i / 10) / 6,
              (i % 10) / 10 + 0.1,
              Math.floor(i / 10) / 6 + 0.17,
            ]),
            ID: `z${i}`,
            ZONE: `R-${i + shift}`,
          })),
          coverage: [rectangle([0, 0, 1, 1])],
        },
      ],
    },
    wells: { main: [{ features: many(200).map(i => ({ geometry: point(random(), random()), ID: `w${i}` })) }] },
    stats: {
      main: [{ rows: many(300).map(i => ({ fips: `23${String(i).padStart(3, '0')}`, people: 1000 + i + shift })) }],
    },
    dem: {
      main: [
        {
          raster: {
            width: 40,
            height: 40,
            west: 0,
            north: 1,
            cell: 0.025,
            values: many(1600).map(i => 100 + shift + (i % 977)),
          },
          coverage: 'extent',
        },
      ],
    },
  };
}

/** Ways to spoil a file of good bytes; each gives its name. `root` may read what its permissions forbid. */
export function spoilings(
  random: () => number,
): { readonly name: string; readonly spoil: (path: string, good: Buffer) => void }[] {
  const inPlace = (path: string, bytes: Buffer) => writeFileSync(path, bytes);
  const replaced = (path: string, bytes: Buffer) => {
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
  };
  const put = random() < 0.5 ? inPlace : replaced;
  const share = random();
  const bit = random();
  const flip = (good: Buffer) => {
    const at = Math.floor(bit * good.length * 8);
    const bytes = Buffer.from(good);
    bytes[at >> 3]! ^= 1 << (at & 7);
    return bytes;
  };
  const garbage = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  return [
    { name: `cut at ${share}`, spoil: (path, good) => put(path, good.subarray(0, Math.floor(share * good.length))) },
    { name: 'without its last byte', spoil: (path, good) => put(path, good.subarray(0, -1)) },
    { name: `bit flipped at ${bit}`, spoil: (path, good) => put(path, flip(good)) },
    {
      name: `bit flipped at ${bit}, times put back`,
      spoil(path, good) {
        const { atime, mtime } = statSync(path);
        inPlace(path, flip(good));
        utimesSync(path, atime, mtime);
      },
    },
    { name: 'garbage', spoil: (path, good) => put(path, garbage(good.length)) },
    { name: 'longer', spoil: (path, good) => put(path, Buffer.concat([good, garbage(9)])) },
    { name: 'emptied', spoil: path => put(path, Buffer.alloc(0)) },
    { name: 'removed', spoil: path => rmSync(path) },
    {
      name: 'a folder',
      spoil(path) {
        rmSync(path);
        mkdirSync(path);
      },
    },
    ...(process.getuid?.() === 0 ? [] : [{ name: 'forbidden', spoil: (path: string) => chmodSync(path, 0) }]),
  ];
}

/** What must be the same in every answer: all but the moment. */
export const steady = (answers: Record<string, Answer>): Record<string, Omit<Answer, 'fetchedAt'>> =>
  Object.fromEntries(Object.entries(answers).map(([name, { fetchedAt: _, ...rest }]) => [name, rest]));

/** Everything once, asked of every worker at the same time. */
export async function askNow(engine: Engine, workers: number): Promise<Record<string, Omit<Answer, 'fetchedAt'>>[]> {
  const soon = { deadline: Date.now() + 20_000 };
  return (await Promise.all(Array.from({ length: workers }, () => engine.fetch(NAMES, HERE, soon)))).map(steady);
}

/** As askNow, but not of what files were when they were looked at last. */
export async function askAll(engine: Engine, workers: number): ReturnType<typeof askNow> {
  await new Promise(resolve => setTimeout(resolve, LOOK_MS + 1));
  return askNow(engine, workers);
}

export const pathOf = (fixture: Fixture, [name, layer, role]: (typeof TARGETS)[number]['at']) =>
  fixture.path(name, layer, role);

/** Puts good bytes back whatever stands there. */
export function repair(path: string, good: Buffer): void {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, good);
}

/** The bytes of every target, by path. */
export const goodBytes = (fixture: Fixture): Map<string, Buffer> =>
  new Map(TARGETS.map(({ at }) => [pathOf(fixture, at), readFileSync(pathOf(fixture, at))]));
