import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { ScalarType } from '../../../datasets/dataset.ts';
import { sharedThread } from '../../../ingest/gdal.ts';
import { fromGeoJSON } from '../../../ingest/geojson.ts';
import { StagedLayers } from '../../../ingest/writers/staged-layers.ts';
import type { Feature } from './feature.ts';

/** Columns of a layer; its features are polygons in WGS84 degrees. */
export interface GeopackageLayer {
  readonly columns: Readonly<Record<string, ScalarType>>;
  readonly rows: () => Iterable<Feature>;
}

/** A fixed stamp: the same rows give the same bytes. */
const ARGS = ['-f', 'GPKG', '--config', 'OGR_CURRENT_DATE', '2026-01-01T00:00:00.000Z'];

/**
 * Writes a GeoPackage of polygon layers with GDAL.
 * @returns the number of rows of all layers.
 * @throws RowRefused when a row does not fit its layer, Error when GDAL refuses.
 */
export async function writeGeopackage(
  path: string,
  layers: Readonly<Record<string, GeopackageLayer>>,
): Promise<number> {
  const columnsOf = ({ columns }: GeopackageLayer) =>
    Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, { type }]));
  const staged = await StagedLayers.open(
    path,
    'EPSG:4326',
    Object.fromEntries(
      Object.entries(layers).map(([name, layer]) => [name, { geometry: 'polygon', columns: columnsOf(layer) }]),
    ),
  );
  try {
    for (const [name, { rows }] of Object.entries(layers))
      for (const { properties, geometry } of rows())
        staged.write(name, { properties, geometry: fromGeoJSON(geometry) });
    const written = await staged.convert('out', ARGS, sharedThread());
    renameSync(join(staged.folder, 'out.gpkg'), path);
    return written.rows;
  } finally {
    await staged.discard();
  }
}
