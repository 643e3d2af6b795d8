import type { Box } from '../../../datasets/geometry.ts';
import type { Coverage } from '../../../datasets/place/place.ts';
import type { GuessedColumn, GuessedLayer } from './guess.ts';
import { titleOf } from './kind.ts';
import type { Judged } from './layers-guess.ts';
import type { Sample } from './sample.ts';

/** Names of files that hold a place's outline. */
const OUTLINE =
  /bound|limits|outline|border|corporate|city_?limit|town_?limit|county(?!.*(road|parcel|zon|build|address))|municipal|jurisdiction/i;
/** Most features of an outline: a town and its exclaves. */
const FEATURES = 12;
/** Most rows of parcels that can be their own coverage. */
const OWN = 200_000;

/** A guess of a place's coverage, with its score and the reason. */
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
 * Guesses the coverage of the place: an outline among the files that holds most of the box of the parcels (or of the files), else
 * the parcels themselves, else the box of each layer.
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

/** If a larger file covers more than this share of a smaller file's box, both map the same ground. */
const SAME_GROUND = 0.3;
/** If a larger file has more than this share of a smaller file's parcel numbers, it repeats the smaller file. */
const SAME_NUMBERS = 0.5;

/**
 * Leaves out files of a layer that map the same ground again; the fuller file stays. Parcel files stay together unless one
 * repeats the numbers of the other.
 * @returns the layers that stay, and those left out with the reason.
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
/** The form of a town's name in an outline and its labels. */
const LABEL = /^(?:(?:city|town|village|borough) of )(.+)$|^(.+?) (?:city|town|village|borough)$/i;
const TOWN = /city|town|village|borough|munic|corporate/i;
const NAMED = /^(name|label|city|town|muni(cipality)?|place_?name|city_?name|town_?name)$/i;
const SCORE = 0.7;
/** Least score of an outline: that of an outline around nine tenths of the parcels' box. */
const AROUND = 0.86;

/** Returns the town that an outline of one polygon names; null if it names none or is that of a county. */
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
 * If the outline of the place is that of one town, sets this town as the city in layers with addresses whose files have no city.
 * People write the city after the street, and an address without a city would not match theirs.
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
