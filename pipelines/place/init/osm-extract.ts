import { passOverOsm } from '../../../ingest/osm-block.ts';

/** The layer that each kind of an OpenStreetMap extract fills; the columns of both have the same names. */
const LAYERS: Readonly<Record<string, { readonly dataset: string; readonly layer: string }>> = {
  road: { dataset: 'osm_roads', layer: 'road_graph' },
  substation: { dataset: 'osm_power', layer: 'substation' },
};

/**
 * Returns the layer that a sample of an extract fills, by the kind that was read; undefined for a file of another format.
 */
export function osmLayer(file: { readonly file: string; readonly options: { readonly layer?: string } }) {
  return isOsmExtract(file.file) ? LAYERS[file.options.layer ?? ''] : undefined;
}

/** Whether a file is an extract of OpenStreetMap, by its name. */
export const isOsmExtract = (path: string): boolean => path.toLowerCase().endsWith('.pbf');

/** Returns the date (UTC) of the database in an extract; null if its header does not say. @throws ReadError */
export async function extractDate(path: string): Promise<string | null> {
  const timestamp = await passOverOsm(path, null);
  return timestamp === null ? null : new Date(1000 * timestamp).toISOString().slice(0, 10);
}
