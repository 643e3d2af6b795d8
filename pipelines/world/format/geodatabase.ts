import type { ScalarType, Value } from '../../../datasets/dataset.ts';
import type { GdalThread } from '../../../ingest/gdal-thread.ts';
import { fromGeoJSON } from '../../../ingest/geojson.ts';
import { createFileGdb } from '../../../ingest/writers/filegdb.ts';
import type { StagedLayer } from '../../../ingest/writers/staged-layers.ts';
import type { Shape } from './feature.ts';

/** A row of a feature class, or of a table when it has no geometry. */
interface GeodatabaseRow {
  readonly properties: Readonly<Record<string, Value>>;
  readonly geometry: Shape | null;
}

/** A feature class or a table of a geodatabase, whose rows are made while it is written. */
export interface GeodatabaseTable {
  readonly geometry: StagedLayer['geometry'];
  readonly columns: Readonly<Record<string, ScalarType>>;
  readonly rows: () => Iterable<GeodatabaseRow>;
}

export interface Geodatabase {
  /** Folder of the geodatabase in its zip. */
  readonly folder: string;
  /** NAD83 or WGS84 degrees. */
  readonly crs: 'EPSG:4269' | 'EPSG:4326';
  readonly layers: Readonly<Record<string, GeodatabaseTable>>;
}

/**
 * Writes a zipped file geodatabase.
 * @param gdal writes one geodatabase after the other; the same ones in the same order have the same bytes.
 * @returns the number of rows of all layers.
 * @throws RowRefused when a row does not fit its layer.
 */
export async function writeGeodatabase(
  path: string,
  { folder, crs, layers }: Geodatabase,
  gdal: GdalThread,
): Promise<number> {
  const writer = await createFileGdb(path, {
    folder,
    crs,
    gdal,
    durable: false,
    layers: Object.fromEntries(
      Object.entries(layers).map(([name, { geometry, columns }]) => [
        name,
        { geometry, columns: Object.fromEntries(Object.entries(columns).map(([column, type]) => [column, { type }])) },
      ]),
    ),
  });
  try {
    for (const [name, { rows }] of Object.entries(layers))
      for (const { properties, geometry } of rows())
        writer.write(name, { properties, geometry: fromGeoJSON(geometry) });
    return (await writer.finish()).rows;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
