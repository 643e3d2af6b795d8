import type { Box } from '../../datasets/geometry.ts';
import { MAP_LAYERS, MAX_TILE_ZOOM, type MapLayerId, type MapSource } from '../../datasets/map-layers.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';

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

function layerOf(id: MapLayerId) {
  const { title, minZoom, sources } = MAP_LAYERS[id];
  const properties = (sources as readonly MapSource[]).flatMap(source => [
    ...(source.kind === undefined ? [] : ['kind']),
    ...Object.keys(source.properties),
  ]);
  const fields = Object.fromEntries(properties.map(name => [name, name === 'height' ? 'Number' : 'String']));
  return { id, description: title, minzoom: minZoom, maxzoom: MAX_TILE_ZOOM, fields };
}

/**
 * GET /tiles.json: the layers of the open release as TileJSON 3.0. The URL of its tiles names the release.
 * @param publicUrl the address under which clients reach the server.
 */
export function tileIndex(engine: Engine, publicUrl: string) {
  const { release } = engine.status();
  const layers = engine.mapLayers();
  const bounds = boundsOf(engine);
  const query = release === null ? '' : `?release=${encodeURIComponent(release)}`;
  return {
    tilejson: '3.0.0',
    name: 'Plat',
    version: '1.0.0',
    scheme: 'xyz',
    release,
    tiles: [`${publicUrl}/tiles/${layers.join(',')}/{z}/{x}/{y}.mvt${query}`],
    minzoom: Math.min(MAX_TILE_ZOOM, ...layers.map(id => MAP_LAYERS[id].minZoom)),
    maxzoom: MAX_TILE_ZOOM,
    ...(bounds && { bounds }),
    vector_layers: layers.map(layerOf),
  };
}
