/** The layer that each kind of an OpenStreetMap extract fills; its columns have the names of the layer's. */
const LAYERS: Readonly<Record<string, { readonly dataset: string; readonly layer: string }>> = {
  road: { dataset: 'osm_roads', layer: 'road_graph' },
  substation: { dataset: 'osm_power', layer: 'substation' },
};

/**
 * The layer that a sample of an extract fills, by the kind that was read; undefined for a file of another format.
 */
export function osmLayer(file: { readonly file: string; readonly options: { readonly layer?: string } }) {
  return file.file.toLowerCase().endsWith('.pbf') ? LAYERS[file.options.layer ?? ''] : undefined;
}
