import { catalog, layerOf } from '../../datasets/catalog.ts';
import type { Layer, Partitioning } from '../../datasets/dataset.ts';
import type { Place } from '../../datasets/place/place.ts';
import { isParcelLayer } from '../release/parcel-layer.ts';
import { acquire, type SourceFile } from '../steps/acquire.ts';
import { coverageOf } from '../steps/ground/coverage.ts';
import { columnProblems, type FileProblem } from '../steps/quality/columns.ts';

/** One layer that an ingest would build. */
interface PlannedLayer {
  readonly dataset: string;
  readonly layer: string;
  readonly file: string;
  readonly bytes: number | null;
  readonly expectRows: number | null;
  readonly writes: readonly string[];
  readonly partition: string;
  readonly coverage: 'polygon' | 'extent' | 'everywhere';
  readonly source: string;
  readonly vintage: string;
}

/** The plan of an ingest: what it would read and write. */
export interface Plan {
  readonly place: string;
  readonly title: string;
  readonly sources: readonly SourceFile[];
  readonly missing: readonly string[];
  /** Files that cannot be read or lack a column that the mapping names. */
  readonly problems: readonly FileProblem[];
  readonly bytes: number;
  readonly layers: readonly PlannedLayer[];
}

function writes(layer: Layer, parcels: boolean): string[] {
  if (layer.kind === 'raster') return ['GeoTIFF'];
  if (layer.kind === 'table') return ['Parquet'];
  if (layer.kind === 'roads') return ['road graph'];
  return layer.parquet || parcels ? ['FlatGeobuf', 'GeoParquet'] : ['FlatGeobuf'];
}

const partitionName = (p: Partitioning) => (typeof p === 'string' ? p : `h3 resolution ${p.h3}`);

/** Plans the ingest of a valid place. It reads only the headers of the files. */
export async function plan(place: Place, sources: string): Promise<Plan> {
  const files = await acquire(place, sources);
  const sizes = new Map(files.map(f => [f.file, f.bytes]));
  const missing = files.filter(f => f.bytes === null).map(f => f.file);
  return {
    place: place.name,
    title: place.title,
    sources: files,
    missing,
    problems: await columnProblems(place, sources, missing),
    bytes: files.reduce((sum, f) => sum + (f.bytes ?? 0), 0),
    layers: place.layers.map(layer => {
      const target = layerOf(catalog.datasets, layer.dataset, layer.layer);
      const coverage = coverageOf({ place, layer });
      return {
        dataset: layer.dataset,
        layer: layer.layer,
        file: layer.file,
        bytes: sizes.get(layer.file) ?? null,
        expectRows: layer.expectRows ?? null,
        writes: writes(target, isParcelLayer(layer)),
        partition: layer.national ? 'national' : partitionName(target.partition),
        coverage: 'file' in coverage ? 'polygon' : 'extent' in coverage ? 'extent' : 'everywhere',
        source: layer.provenance.source,
        vintage: layer.provenance.vintage,
      };
    }),
  };
}
