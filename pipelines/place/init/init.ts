import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { type Box, type Geometry, union } from '../../../datasets/geometry.ts';
import { projectGeometries, resolveCrs } from '../../../ingest/crs.ts';
import { UsageError } from '../../../query/engine/command.ts';
import { geodesicArea } from '../../../query/geometry/area/geodesic-area.ts';
import { areaOf } from './area.ts';
import { type CoverageGuess, coverageOf, withoutRepeats, withTown } from './boundary.ts';
import { type CrsGuess, guessCrs, isPlausible, lngLatBox } from './crs-guess.ts';
import { withFaultsElsewhere } from './faults.ts';
import type { Area, GuessedLayer } from './guess.ts';
import { kindsOf } from './kind.ts';
import { guessLayers, type Judged } from './layers-guess.ts';
import { beginReading, type Reading, type Sample, type Unread } from './sample.ts';

/** Options of `plat place init`. */
interface InitOptions {
  readonly files: readonly string[];
  /** Folder to which the place file's paths are relative; null: the deepest that holds all files. */
  readonly sources: string | null;
  readonly name: string | null;
  readonly state: string | null;
  readonly county: string | null;
  readonly progress?: (line: string) => void;
}

/** The guesses about a place's files. */
export interface InitResult {
  readonly name: string;
  readonly sources: string;
  readonly area: Area & { readonly state: string; readonly county: string; readonly why: string };
  readonly coverage: CoverageGuess;
  readonly layers: readonly GuessedLayer[];
  /** Guessed CRSs of samples whose file does not state one, the best first. */
  readonly crs: ReadonlyMap<Sample, readonly CrsGuess[]>;
  /** Files that are in no layer, with the reason. */
  readonly left: readonly { readonly file: string; readonly why: string }[];
  readonly unread: readonly Unread[];
}

/** A file wider than this many degrees does not tell where the place is. */
const LOCAL = 4;
/** Most polygons whose areas are measured. */
const MEASURED = 300;

/** Returns the deepest folder that holds all files. */
function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0]!);
  while (!files.every(file => file.startsWith(folder === sep ? sep : folder + sep))) folder = dirname(folder);
  return folder;
}

/** Returns the box of the place: the union of the boxes of local files near the middle one. */
function anchorOf(boxes: readonly Box[]): Box | null {
  const local = boxes.filter(([a, b, c, d]) => c - a < LOCAL && d - b < LOCAL);
  if (local.length === 0) return null;
  const centre = (axis: 0 | 1) => {
    const values = local.map(box => (box[axis] + box[axis + 2]!) / 2).sort((x, y) => x - y);
    return values[Math.floor(values.length / 2)]!;
  };
  const [x, y] = [centre(0), centre(1)];
  const near = local.filter(([a, b, c, d]) => Math.abs((a + c) / 2 - x) < 1.5 && Math.abs((b + d) / 2 - y) < 1.5);
  return near.reduce((all, box) => union(all, box));
}

/** Returns the median area of a file's polygons, m². */
async function medianArea({ geometry, kept, crs, file }: Sample): Promise<number | null> {
  if (geometry !== 'polygon' || crs === null) return null;
  const step = Math.max(1, Math.floor(kept.length / MEASURED));
  const areas: number[] = [];
  try {
    const shapes: Geometry[] = [];
    for (let i = 0; i < kept.length; i += step) {
      const shape = kept[i]!.geometry;
      if (shape && /Polygon/.test(shape.type)) shapes.push(shape);
    }
    for (const shape of await projectGeometries(await resolveCrs(crs, file), shapes)) {
      const area = geodesicArea(shape);
      // Splinters of less than a square metre do not represent the rest.
      if (area > 1) areas.push(area);
    }
  } catch {
    return null;
  }
  areas.sort((a, b) => a - b);
  return areas[Math.floor(areas.length / 2)] ?? null;
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

function placeName(sources: string, state: string, given: string | null): string {
  if (given !== null) {
    if (slug(given) === given && given !== 'national') return given;
    throw new UsageError(
      `--name ${given}: expected lower-case letters, digits and hyphens, for example ${slug(given) || 'bangor-me'}`,
    );
  }
  const folder = slug(sources.slice(sources.lastIndexOf(sep) + 1));
  const plain = folder === '' || /^(data|sources?|files?|tmp|national|downloads?)$/.test(folder) ? 'place' : folder;
  const ending = `-${state.toLowerCase()}`;
  return plain.endsWith(ending) ? plain : plain + ending;
}

function checkFlags({ state, county }: InitOptions): void {
  if (state !== null && !(state in STATE_FIPS))
    throw new UsageError(`--state ${state}: expected the two letters of a state, for example ME`);
  if (county === null) return;
  if (!/^\d{5}$/.test(county))
    throw new UsageError(`--county ${county}: expected a five-digit county FIPS code, for example 23019`);
  if (state !== null && STATE_FIPS[state] !== county.slice(0, 2))
    throw new UsageError(
      `--county ${county} is not in --state ${state}, whose counties begin with ${STATE_FIPS[state]}`,
    );
}

/** Returns the files with their paths below the sources folder. @throws UsageError for a file that is missing or outside. */
function located(options: InitOptions): { sources: string; files: { path: string; file: string }[] } {
  const paths = [...new Set(options.files.map(file => resolve(file)))];
  if (paths.length === 0) throw new UsageError('expected the published files of a place: plat place init FILES…');
  for (const [i, path] of paths.entries())
    if (!existsSync(path)) throw new UsageError(`${options.files[i]}: no such file`);
  const sources = options.sources === null ? commonFolder(paths) : resolve(options.sources);
  if (!existsSync(sources) || !statSync(sources).isDirectory())
    throw new UsageError(`--sources ${sources}: no such folder`);
  const files = paths.map(path => ({ path, file: relative(sources, path).split(sep).join('/') }));
  const outside = files.find(({ file }) => file.startsWith('..'));
  if (outside)
    throw new UsageError(`${outside.path} is not below --sources ${sources}; a place file names files below it`);
  return { sources, files };
}

/** Returns a sample with a guessed CRS if its file states none or a wrong one. */
async function withCrs(
  sample: Sample,
  anchor: Box | null,
  state: string | null,
): Promise<{ sample: Sample; guesses: CrsGuess[] }> {
  if (sample.kind !== 'vector' || sample.box === null || (await isPlausible(sample, anchor)))
    return { sample, guesses: [] };
  const stated = sample.options.x === undefined && sample.crs !== null;
  const guesses = await guessCrs(sample.box, anchor, state);
  const best = guesses[0];
  if (!best || (stated && best.score < 0.5)) return { sample, guesses: [] };
  const options = { ...sample.options, crs: best.crs, ...(stated ? { overrideCrs: true } : {}) };
  return { sample: { ...sample, crs: best.crs, options }, guesses };
}

const areaMissing = ({ state }: InitOptions, area: Area) =>
  new UsageError(
    `the files do not say ${area.state === null ? 'the state' : `which county of ${area.state} they are of`}: give ` +
      `${state === null && area.state === null ? '--state and ' : ''}--county (five-digit FIPS code), or add a file of the counties of the country`,
  );

/** Whether a file may be one of the counties of the country, which tells the county only when it was read to its end. */
const mayHoldCounties = ({ geometry, columns }: Sample) =>
  geometry === 'polygon' && columns.some(({ unique, lengths }) => unique && lengths[0] >= 4 && lengths[1] === 5);

/**
 * Reads the files: the first rows of all, then the others.
 * @throws UsageError after the first rows when no file says the county.
 */
async function readFiles(files: readonly { path: string; file: string }[], options: InitOptions) {
  const unread: Unread[] = [];
  const readings: { file: string; reading: Reading }[] = [];
  try {
    for (const { path, file } of files) {
      const opening = await beginReading(path, file);
      readings.push(...opening.readings.map(reading => ({ file, reading })));
      unread.push(...opening.unread);
    }
    const first = readings.map(({ reading }) => reading.sample());
    const boxes: Box[] = [];
    for (const sample of first) {
      const box =
        (await isPlausible(sample, null)) && sample.box && sample.crs ? await lngLatBox(sample.box, sample.crs) : null;
      if (box) boxes.push(box);
    }
    const area = await areaOf(first, anchorOf(boxes), options);
    if (area.county === null && first.length > 0 && !first.some(mayHoldCounties)) throw areaMissing(options, area);
  } catch (error) {
    for (const { reading } of readings) await reading.close();
    throw error;
  }
  const read: Sample[] = [];
  for (const { file, reading } of readings) {
    options.progress?.(`reading ${file}`);
    try {
      read.push(await reading.finish());
    } catch (error) {
      unread.push({ file, reason: (error as Error).message });
    }
  }
  return { read, unread };
}

/**
 * Reads published files and guesses their place: area, coverage, CRSs, layers, columns, joins.
 * @throws UsageError when a file cannot be found, or when the files do not tell the state and county.
 */
export async function initPlace(options: InitOptions): Promise<InitResult> {
  checkFlags(options);
  const { sources, files } = located(options);
  const { read, unread } = await readFiles(files, options);
  const boxOf = async (sample: Sample) => (sample.box && sample.crs ? lngLatBox(sample.box, sample.crs) : null);
  const boxesOf = async (of: readonly Sample[]) => (await Promise.all(of.map(boxOf))).filter(box => box !== null);
  const stated: Sample[] = [];
  for (const sample of read) if (await isPlausible(sample, null)) stated.push(sample);
  const first = anchorOf(await boxesOf(stated));
  const roughArea = await areaOf(read, first, options);
  const crs = new Map<Sample, readonly CrsGuess[]>();
  const samples: Sample[] = [];
  for (const one of read) {
    const { sample, guesses } = await withCrs(one, first, roughArea.state);
    if (guesses.length > 0) crs.set(sample, guesses);
    samples.push(sample);
  }
  const anchor = anchorOf(await boxesOf(samples));
  const area = await areaOf(samples, anchor, options);
  const { state, county } = area;
  if (state === null || county === null) throw areaMissing(options, area);
  const judged: Judged[] = [];
  for (const sample of samples)
    judged.push({ sample, box: await boxOf(sample), kinds: kindsOf(sample, await medianArea(sample)) });
  const guessed = guessLayers(judged, area);
  const { kept, out } = withoutRepeats(guessed.layers, judged);
  if (kept.length === 0)
    throw new UsageError(
      `no layer of the catalog was recognized in ${files.length} files${unread[0] ? `; ${unread[0].file}: ${unread[0].reason}` : ''}`,
    );
  const coverage = coverageOf(judged, kept, anchor);
  const outline = 'file' in coverage.coverage ? coverage.coverage.file : null;
  const left = [
    ...guessed.left
      .filter(({ sample }) => sample.file !== outline)
      .map(({ sample, kinds }) => ({ file: partName(sample), why: whyLeft(kinds) })),
    ...out.map(({ layer, why }) => ({
      file: partName(layer.sample),
      why: `${layer.dataset}:${layer.layer}, but ${why}`,
    })),
  ];
  const name = placeName(sources, state, options.name);
  const layers = await withFaultsElsewhere(withTown(kept, coverage, samples), anchor);
  return { name, sources, area: { ...area, state, county }, coverage, layers, crs, left, unread };
}

const whyLeft = (kinds: Judged['kinds']) =>
  kinds.length === 0
    ? 'like no layer of the catalog'
    : `perhaps ${kinds
        .slice(0, 3)
        .map(k => `${k.dataset}:${k.layer} ${k.score.toFixed(2)}`)
        .join(', ')}`;

const partName = ({ file, options }: Sample) => {
  const part = options.layer ?? options.sheet ?? options.member;
  return part === undefined ? file : `${file} (${part})`;
};
