import type { Box } from '../../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId } from '../../datasets/map-layers.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { fieldsOf, sourcesOf } from '../../query/tile/tile.ts';

const around = (boxes: readonly Box[]): Box | null =>
  boxes.length === 0
    ? null
    : [
        Math.min(...boxes.map(box => box[0])),
        Math.min(...boxes.map(box => box[1])),
        Math.max(...boxes.map(box => box[2])),
        Math.max(...boxes.map(box => box[3])),
      ];

/** Where a map opens: around the parcels, otherwise around the layers that do not cover the whole country. */
function boundsOf(engine: Engine): Box | null {
  const sources = engine.installed().filter(source => source.box !== null && source.county !== null);
  const parcels = sources.filter(source => source.dataset === 'parcel_store');
  return around((parcels.length > 0 ? parcels : sources).map(source => source.box!));
}

/** Characters that maps would take for HTML. */
const plain = (text: string) => text.replaceAll('&', 'and').replace(/[<>"]/g, '');

/** Whom a map of some layers names, and the licence of each: publishers of the files that the release has of them. */
function attributionOf(engine: Engine, layers: readonly MapLayerId[]): string {
  const drawn = new Set(layers.flatMap(id => sourcesOf(id).map(({ dataset, layer }) => `${dataset}:${layer}`)));
  const named = engine
    .installed()
    .filter(({ dataset, layer }) => drawn.has(`${dataset}:${layer}`))
    .map(({ publisher, licence }) => plain(`${publisher} (${licence})`));
  return [...new Set(named)].sort().join('; ');
}

function layerOf(id: MapLayerId) {
  const { title, minZoom, maxZoom } = MAP_LAYERS[id];
  return { id, description: title, minzoom: minZoom, maxzoom: maxZoom, fields: fieldsOf(id) };
}

/**
 * GET /tiles.json: the layers of the open release as TileJSON 3.0. The URL of its tiles names the release.
 * @param publicUrl the address under which clients reach the server.
 */
export function tileIndex(engine: Engine, publicUrl: string) {
  const { release } = engine.status();
  const layers = engine.mapLayers();
  const bounds = boundsOf(engine);
  const attribution = attributionOf(engine, layers);
  const query = release === null ? '' : `?release=${encodeURIComponent(release)}`;
  return {
    tilejson: '3.0.0',
    name: 'Plat',
    version: '1.0.0',
    scheme: 'xyz',
    release,
    tiles: [`${publicUrl}/tiles/${layers.join(',')}/{z}/{x}/{y}.mvt${query}`],
    minzoom: layers.reduce((least, id) => Math.min(least, MAP_LAYERS[id].minZoom), 16),
    maxzoom: layers.reduce((most, id) => Math.max(most, MAP_LAYERS[id].maxZoom), 0),
    ...(bounds && { bounds }),
    ...(attribution !== '' && { attribution }),
    vector_layers: layers.map(layerOf),
  };
}
