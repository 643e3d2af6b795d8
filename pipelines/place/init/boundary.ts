import type { Box } from '../../../datasets/geometry.ts';
import type { Coverage } from '../../../datasets/place/place.ts';
import type { GuessedColumn, GuessedLayer } from './guess.ts';
import { titleOf } from './kind.ts';
import type { Judged } from './layers-guess.ts';
import type { Sample } from './sample.ts';

/** How files of a place's outline are named. */
const OUTLINE =
  /bound|limits|outline|border|corporate|city_?limit|town_?limit|county(?!.*(road|parcel|zon|build|address))|municipal|jurisdiction/i;
/** Features that an outline has at most: a town and its exclaves. */
const FEATURES = 12;
/** Rows of parcels up to which they are their own coverage. */
const OWN = 200_000;

/** A place's coverage, how sure it is, and why. */
export interface CoverageGuess {
  readonly coverage: Coverage;
  readonly score: number;
  readonly why: string;
}

const overlap = (a: Box, b: Box): number => {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width <= 0 || height <= 0 ? 0 : (width * height) / ((b[2] - b[0]) * (b[3] - b[1]));
};

/**
 * Where the place is mapped: an outline among the files that holds most of the parcels' (else the files') box, else the
 * parcels themselves, else the box of each layer.
 */
export function coverageOf(
  judged: readonly Judged[],
  layers: readonly GuessedLayer[],
  anchor: Box | null,
): CoverageGuess {
  const parcels = layers.filter(layer => layer.dataset === 'parcel_store');
  const boxes = new Map(judged.map(({ sample, box }) => [sample, box]));
  const wanted = (parcels[0] && boxes.get(parcels[0].sample)) ?? anchor;
  let best: { judged: Judged; score: number } | null = null;
  for (const one of judged) {
    const { sample, box } = one;
    if (sample.geometry !== 'polygon' || sample.rows > FEATURES || box === null || wanted === null) continue;
    if (!OUTLINE.test(titleOf(sample)) || box[2] - box[0] > 5) continue;
    const held = overlap(box, wanted);
    const score = 0.5 + 0.4 * held - 0.02 * (sample.rows - 1);
    if (held > 0.3 && score > (best?.score ?? 0)) best = { judged: one, score };
  }
  if (best) {
    const { sample } = best.judged;
    const options = Object.keys(sample.options).length > 0 ? { options: sample.options } : {};
    return {
      coverage: { file: sample.file, ...options },
      score: best.score,
      why: 'an outline by its name, and around the rest',
    };
  }
  const own = parcels.find(({ sample }) => sample.rows < OWN && sample.format === null);
  if (own) {
    const options = Object.keys(own.sample.options).length > 0 ? { options: own.sample.options } : {};
    return {
      coverage: { file: own.sample.file, ...options },
      score: 0.5,
      why: 'no outline among the files: where parcels are',
    };
  }
  return { coverage: { extent: true }, score: 0.3, why: 'no outline among the files: the box of each layer' };
}

/** Share of a smaller file's box that a larger one covers, above which both map the same ground. */
const SAME_GROUND = 0.3;
/** Share of parcel numbers of a smaller file that a larger one has, above which it repeats it. */
const SAME_NUMBERS = 0.5;

/**
 * Of several files of one layer those that map the same ground again are left out, the fuller one stays; parcel files
 * stay together unless one repeats the other's numbers.
 * @returns the layers that stay, and those left out with why.
 */
export function withoutRepeats(
  layers: readonly GuessedLayer[],
  judged: readonly Judged[],
): { kept: GuessedLayer[]; out: { layer: GuessedLayer; why: string }[] } {
  const boxes = new Map(judged.map(({ sample, box }) => [sample, box]));
  const order = [...layers].sort((a, b) => worth(b) - worth(a));
  const kept = new Set<GuessedLayer>();
  const out: { layer: GuessedLayer; why: string }[] = [];
  for (const layer of order) {
    const same = [...kept].filter(k => k.dataset === layer.dataset && k.layer === layer.layer);
    const again = same.find(k =>
      layer.dataset === 'parcel_store' ? sameNumbers(layer, k) : sameGround(boxes, layer, k),
    );
    if (again) out.push({ layer, why: `maps the same as ${again.sample.file}` });
    else kept.add(layer);
  }
  return { kept: layers.filter(layer => kept.has(layer)), out };
}

const worth = ({ sample, score, columns }: GuessedLayer) =>
  score * 3 + columns.size * 0.2 + Math.log10(sample.rows + 1) * 0.5;

function sameGround(boxes: ReadonlyMap<unknown, Box | null>, a: GuessedLayer, b: GuessedLayer): boolean {
  const [x, y] = [boxes.get(a.sample) ?? null, boxes.get(b.sample) ?? null];
  return x === null || y === null || Math.max(overlap(x, y), overlap(y, x)) > SAME_GROUND;
}

function sameNumbers(a: GuessedLayer, b: GuessedLayer): boolean {
  const keys = ({ sample, columns }: GuessedLayer) => {
    const source = columns.get('apn')?.sources[0];
    return sample.columns.find(p => p.name === source)?.keys ?? null;
  };
  const [x, y] = [keys(a), keys(b)];
  if (!x || !y || x.size === 0) return true;
  let hits = 0;
  for (const key of x) if (y.has(key)) hits++;
  return hits / x.size > SAME_NUMBERS;
}

/** Columns that hold the city of an address, by layer. */
const CITY: Readonly<Record<string, string>> = { 'parcel_store:main': 'city', 'usdot_nad:main': 'Post_City' };
/** How outlines and their labels name what they are around. */
const LABEL = /^(?:(?:city|town|village|borough) of )(.+)$|^(.+?) (?:city|town|village|borough)$/i;
const TOWN = /city|town|village|borough|munic|corporate/i;
const NAMED = /^(name|label|city|town|muni(cipality)?|place_?name|city_?name|town_?name)$/i;
const SCORE = 0.7;
/** How sure an outline must be: of one around nine tenths of the parcels' box. */
const AROUND = 0.86;

/** The town that an outline of one polygon is around, as it says itself; null where it is of a county or names none. */
function townOf({ rows, columns, file }: Sample): string | null {
  if (rows !== 1) return null;
  let named: string | null = null;
  for (const { name, values } of columns) {
    const [value] = values.keys();
    if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) continue;
    const match = LABEL.exec(value.trim());
    if (match) return match[1] ?? match[2]!;
    if (NAMED.test(name) && TOWN.test(file) && !/county/i.test(value)) named ??= value.trim();
  }
  return named;
}

/**
 * Layers with addresses whose files say no city, in a place whose outline is that of one town: the city of their addresses
 * is that town. People write it behind the street, and an address that knows no city is not the one that they mean.
 */
export function withTown(
  layers: readonly GuessedLayer[],
  { coverage, score }: CoverageGuess,
  samples: readonly Sample[],
): GuessedLayer[] {
  const outline =
    'file' in coverage && score >= AROUND ? samples.find(({ file }) => file === coverage.file) : undefined;
  const town = outline && townOf(outline);
  if (!outline || !town) return [...layers];
  return layers.map(layer => {
    const target = CITY[`${layer.dataset}:${layer.layer}`];
    if (target === undefined || layer.columns.has(target) || layer.sample.file === outline.file) return layer;
    const notes = [`the town that ${outline.file} is the outline of`];
    const city: GuessedColumn = { target, expression: { const: town }, score: SCORE, sources: [], notes, others: [] };
    return { ...layer, columns: new Map([...layer.columns, [target, city]]) };
  });
}
