import type { LayerSpecification, VectorSourceSpecification } from 'maplibre-gl';
import type { Palette } from './palette.ts';
import { TILE_SCHEME } from './tile-loader.ts';

/** The source of tiles with all parcels that a search found. */
export const ALL_MATCHES = 'all-matches';
/** Its deepest zoom, which the map enlarges. */
const DEEPEST_MATCHES = 16;

/** That source. @param path of its tiles. */
export const matchSource = (path: string): VectorSourceSpecification => ({
  type: 'vector',
  tiles: [`${TILE_SCHEME}:/${path.replace(/^\/tiles/, '')}`],
  maxzoom: DEEPEST_MATCHES,
});

/** The layers of all parcels that a search found, below those of the page that is listed. */
export const matchLayers = (p: Palette): LayerSpecification[] => [
  {
    id: ALL_MATCHES,
    type: 'fill',
    source: ALL_MATCHES,
    'source-layer': 'matches',
    paint: { 'fill-color': p.accent, 'fill-opacity': 0.16 },
  },
  {
    id: 'all-matches-edge',
    type: 'line',
    source: ALL_MATCHES,
    'source-layer': 'matches',
    paint: { 'line-color': p.accent, 'line-width': 0.8 },
  },
  {
    id: 'all-matches-points',
    type: 'circle',
    source: ALL_MATCHES,
    'source-layer': 'match_points',
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['sqrt', ['get', 'count']], 1, 1.6, 10, 4] as never,
      'circle-color': p.accent,
      'circle-opacity': 0.6,
    },
  },
];
