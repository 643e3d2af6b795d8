import { catalog, layerOf } from '../../../datasets/catalog.ts';
import type { Column, Layer } from '../../../datasets/dataset.ts';
import { type ColumnMatch, matchColumns } from './column-match.ts';
import { HINTS } from './hints/hints.ts';
import { compact, wordsOf } from './names.ts';
import { osmLayer } from './osm-extract.ts';
import { presentIn } from './profile.ts';
import type { Sample } from './sample.ts';

/** A layer that a file may be, with its score. */
export interface Kind {
  readonly dataset: string;
  readonly layer: string;
  readonly target: Layer;
  readonly score: number;
  readonly why: string;
  readonly matches: ReadonlyMap<string, ColumnMatch>;
}

/** Least score of a layer; a file below it is left out. */
export const LEAST_KIND = 0.5;

/** Number of layers of the catalog with a column of this name. GEOID and NAME tell little, FLD_ZONE tells everything. */
const frequency = new Map<string, number>();
for (const dataset of catalog.datasets.values())
  for (const layer of Object.values(dataset.layers))
    if (layer.kind !== 'raster')
      for (const name of Object.keys(layer.columns))
        frequency.set(name.toLowerCase(), (frequency.get(name.toLowerCase()) ?? 0) + 1);

/** Returns the title of a file: its name without endings and dates, and the layer, sheet or member in it. */
export function titleOf(sample: Pick<Sample, 'file' | 'options'>): string {
  const base = sample.file
    .slice(sample.file.lastIndexOf('/') + 1)
    .replace(
      /\.(shp|gdb|csv|tsv|txt|geojson|topojson|json|gpkg|zip|gz|xlsx|fgb|parquet|geoparquet|tif|tiff|asc|dat|osm|pbf|ndjson|geojsonl|geojsons)\b/gi,
      '',
    );
  const part = sample.options.layer ?? sample.options.sheet ?? sample.options.member?.replace(/\.\w+$/, '');
  return part === undefined ? base : `${base} ${part}`;
}

/** Scores how well a file's name names a layer: 1 for the layer's own name or a usual one, less for parts of a name. */
function nameFit(title: string, id: string, dataset: string, layer: string): number {
  const words = new Set(wordsOf(title));
  const plain = compact(title);
  if (layer !== 'main' && layer.length >= 7 && plain.includes(compact(layer))) return 1;
  let best = 0;
  const names = (HINTS[id]?.files ?? '').split(/\s+/).filter(Boolean);
  for (const name of [...names, ...(layer === 'main' ? [dataset] : [])]) {
    const wanted = wordsOf(name);
    const weight = Math.min(1, 0.55 + 0.15 * wanted.length + (compact(name).length >= 6 ? 0.15 : 0));
    if (plain === compact(name)) best = Math.max(best, 1);
    else if (wanted.every(word => words.has(word) || words.has(`${word}s`))) {
      // Further words make the name less sure: tax_exempt_parcels are not all parcels.
      const besides = [...words].filter(
        word => !wanted.includes(word) && !/^\d+$/.test(word) && word.length > 2,
      ).length;
      best = Math.max(best, weight * (0.92 - 0.06 * Math.min(4, besides)));
    }
  }
  return best;
}

/** Column names that occur in files of every kind. */
const COMMON = new Set(
  `latitude longitude elevation name id city state county zip lot block page book address owner status type year date class
   height operator voltage title label code zone area acres value unit street country region`.split(/\s+/),
);

/** Returns the share of the layer's distinctive columns that the file has under their own names, with values that fit. */
function signature(columns: Readonly<Record<string, Column>>, matches: ReadonlyMap<string, ColumnMatch>): number {
  let hits = 0;
  let all = 0;
  for (const [name, column] of Object.entries(columns)) {
    if (column.computed) continue;
    const lower = name.toLowerCase();
    const weight = COMMON.has(lower) ? 0.1 : 1 / (frequency.get(lower) ?? 1) ** 2;
    all += weight;
    if (matches.get(name)?.name === 1) hits += weight;
  }
  // One column of many may be chance; three distinctive ones are not.
  return Math.min(1, Math.max(hits / all, Math.min(1, hits / 3)) * Math.min(1, hits / 1.2));
}

function geometryFit(sample: Sample, target: Layer): number {
  if (target.kind === 'raster') return sample.kind === 'raster' ? 1 : 0;
  if (sample.kind === 'raster') return 0;
  // A file of roads is a layer of roads first; a place file can make a road graph of it.
  if (target.kind === 'roads') return 0;
  if (target.kind === 'table') return sample.kind === 'table' ? 1 : 0.35;
  if (sample.geometry === null) return 0;
  if (sample.geometry === target.geometry) return 1;
  // Streams may be drawn between their banks, and power plants by their outlines; a place file can say so.
  return target.geometry === 'line' && sample.geometry === 'polygon' ? 0.7 : 0;
}

/** Scores how the median size of the polygons fits the layer: 1 inside its range, less by the factor outside it. */
function sizeFit(size: number | null, range: readonly [number, number] | undefined): number {
  if (!range || size === null) return 1;
  const off = size < range[0] ? range[0] / size : size > range[1] ? size / range[1] : 1;
  return off <= 1 ? 1 : Math.max(0.4, 1 - 0.3 * Math.log10(off));
}

/**
 * Returns the layers that a file may be, the best first. It compares the publishers' own column names, the file's name, the names
 * and values of columns, and the kind of geometries.
 * @param size median area of its polygons in m²; null if it has none or its CRS is not known.
 */
export function kindsOf(sample: Sample, size: number | null): Kind[] {
  const extract = osmLayer(sample);
  if (extract && sample.rows > 0) {
    const target = layerOf(catalog.datasets, extract.dataset, extract.layer);
    return [{ ...extract, target, score: 1, why: 'an extract of OpenStreetMap', matches: new Map() }];
  }
  const title = titleOf(sample);
  const kinds: Kind[] = [];
  for (const [dataset, { layers }] of catalog.datasets)
    for (const [layer, target] of Object.entries(layers)) {
      const id = `${dataset}:${layer}`;
      const shape = geometryFit(sample, target);
      if (shape === 0) continue;
      const named = nameFit(title, id, dataset, layer);
      if (target.kind === 'roads') continue;
      if (target.kind === 'raster') {
        if (named >= 0.5) kinds.push({ dataset, layer, target, score: named, why: 'its name', matches: new Map() });
        continue;
      }
      const columns = target.columns;
      const matches = matchColumns(id, columns, sample.columns, sample.kept);
      const signed = signature(columns, matches);
      if (named < 0.4 && signed < 0.3 && !(id in HINTS)) continue;
      const keyed = target.kind === 'vector' || matches.has(target.key.column) || named > 0;
      if (!keyed) continue;
      // Add the scores of the columns; names that are rare in the catalog count most.
      const weights = [...matches.values()].map(m => m.score / Math.min(4, frequency.get(m.target.toLowerCase()) ?? 1));
      const told = weights.reduce((sum, w) => sum + w, 0);
      const wanted = Math.min(5, Object.values(columns).filter(c => !c.computed).length);
      const columned = Math.min(1, told / (wanted + 1));
      const sized = sizeFit(size, HINTS[id]?.size);
      const sure = 1 - (1 - 0.95 * signed) * (1 - 0.75 * named) * (1 - 0.6 * columned);
      const bare = presentColumns(sample) === 0 ? 1 : columned === 0 && signed === 0 ? 0.85 : 1;
      const score = Math.min(1, sure * shape * sized * bare);
      const why = [
        ...(signed > 0.3 ? ["the publisher's own columns"] : []),
        ...(named > 0.3 ? ['its name'] : []),
        ...(columned > 0.2 ? ['its columns'] : []),
      ].join(', ');
      if (score >= 0.3) kinds.push({ dataset, layer, target, score, why: why || 'its shape', matches });
    }
  return kinds.sort((a, b) => b.score - a.score);
}

const presentColumns = (sample: Sample) => sample.columns.filter(profile => presentIn(profile) > 0).length;
