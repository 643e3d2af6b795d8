import type { Box } from '../../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId, TERRAIN } from '../../datasets/map-layers.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { fieldsOf } from '../../query/tile/tile.ts';
import type { Imagery } from './imagery.ts';
import { around, tileCredits } from './tile-credits.ts';

/** Where a map opens: around the parcels, otherwise around the layers that do not cover the whole country. */
function boundsOf(engine: Engine): Box | null {
  const sources = engine.installed().filter(source => source.box !== null && source.county !== null);
  const parcels = sources.filter(source => source.dataset === 'parcel_store');
  return around((parcels.length > 0 ? parcels : sources).map(source => source.box));
}

function layerOf(id: MapLayerId) {
  const { title, minZoom, maxZoom } = MAP_LAYERS[id];
  return { id, description: title, minzoom: minZoom, maxzoom: maxZoom, fields: fieldsOf(id) };
}

/** The tiles of the ground, which maps shade and draw contours of; null where the release has no terrain. */
function groundOf(engine: Engine, publicUrl: string, query: string) {
  const { source, heights, contours } = TERRAIN;
  const files = engine.installed().filter(({ dataset, layer }) => dataset === source.dataset && layer === source.layer);
  if (files.length === 0) return null;
  const bounds = around(files.map(({ box }) => box));
  return {
    heights: {
      tiles: [`${publicUrl}/tiles/terrain/{z}/{x}/{y}.png${query}`],
      encoding: 'terrarium',
      minzoom: heights.minZoom,
      maxzoom: heights.maxZoom,
    },
    contours: {
      tiles: [`${publicUrl}/tiles/contours/{z}/{x}/{y}.mvt${query}`],
      minzoom: contours.minZoom,
      maxzoom: contours.maxZoom,
    },
    ...(bounds && { bounds }),
  };
}

/**
 * GET /tiles.json: the layers of the open release as TileJSON 3.0, with what maps need beside them. The URL of its tiles names the
 * release.
 * @param publicUrl the address under which clients reach the server. @param imagery pictures of another server.
 */
export function tileIndex(engine: Engine, publicUrl: string, imagery: Imagery | null) {
  const { release } = engine.status();
  const layers = engine.mapLayers();
  const bounds = boundsOf(engine);
  const credits = tileCredits(engine, layers);
  const drawn = credits.filter(one => one.layers.some(id => id !== 'terrain')).map(({ text }) => text);
  const query = release === null ? '' : `?release=${encodeURIComponent(release)}`;
  const ground = groundOf(engine, publicUrl, query);
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
    ...(drawn.length > 0 && { attribution: drawn.join('; ') }),
    vector_layers: layers.map(layerOf),
    credits,
    ...(ground && { ground }),
    ...(imagery && { imagery: { tiles: [imagery.tiles], attribution: imagery.credit } }),
  };
}
