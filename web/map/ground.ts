import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { type Units, unitsNow } from '../values/units.ts';
import type { Palette } from './palette.ts';
import { TILE_SCHEME } from './tile-loader.ts';

/** Zooms of tiles. */
interface Zooms {
  readonly minzoom: number;
  readonly maxzoom: number;
}

/** What GET /tiles.json tells of the ground, and of aerial pictures. */
export interface GroundIndex {
  readonly ground?: {
    readonly heights: Zooms;
    readonly contours: Zooms;
    readonly bounds?: readonly [number, number, number, number];
  };
  readonly imagery?: { readonly tiles: readonly string[]; readonly attribution: string };
}

/** What the layers of the ground are called in the list of layers. */
export const RELIEF = 'relief';
export const CONTOURS = 'contours';
export const IMAGERY = 'imagery';
/** From this zoom on each cell of the model would be seen as a square. */
export const RELIEF_TO = 16;

/** The unit of contours. */
const unitOf = (units: Units) => (units === 'us' ? 'ft' : 'm');
/** The addresses of a source of the ground; the loader of tiles adds of which release. */
export const groundTiles = (name: typeof RELIEF | typeof CONTOURS, units = unitsNow()): string[] => [
  name === RELIEF
    ? `${TILE_SCHEME}://terrain/{z}/{x}/{y}.png`
    : `${TILE_SCHEME}://contours/{z}/{x}/{y}.mvt?unit=${unitOf(units)}`,
];

/** The sources of the ground that a release has, and of pictures where the operator names some. */
export function groundSources({ ground, imagery }: GroundIndex, units: Units): Record<string, SourceSpecification> {
  const bounds = ground?.bounds && { bounds: [...ground.bounds] as [number, number, number, number] };
  return {
    ...(ground && {
      [RELIEF]: {
        type: 'raster-dem',
        tiles: groundTiles(RELIEF),
        encoding: 'terrarium',
        // The model of the ground is no finer than these: half as many tiles a side, which are a quarter of the bytes.
        tileSize: 512,
        ...{ minzoom: ground.heights.minzoom, maxzoom: ground.heights.maxzoom },
        ...bounds,
      },
      [CONTOURS]: {
        type: 'vector',
        tiles: groundTiles(CONTOURS, units),
        ...{ minzoom: ground.contours.minzoom, maxzoom: ground.contours.maxzoom },
        ...bounds,
      },
    }),
    ...(imagery && { [IMAGERY]: { type: 'raster', tiles: [...imagery.tiles], tileSize: 256, maxzoom: 19 } }),
  };
}

/** The shade of the ground; shown when the rest of the map stands. */
export const reliefLayers = ({ ground }: GroundIndex, p: Palette): LayerSpecification[] =>
  ground
    ? [
        {
          id: RELIEF,
          type: 'hillshade',
          source: RELIEF,
          metadata: { entry: RELIEF },
          maxzoom: RELIEF_TO,
          layout: { visibility: 'none' },
          paint: {
            'hillshade-exaggeration': 0.35,
            'hillshade-shadow-color': p.shade,
            'hillshade-accent-color': p.shade,
            'hillshade-highlight-color': p.light,
          },
        },
      ]
    : [];

/** Contours with the height of every fifth. */
export const contourLayers = ({ ground }: GroundIndex, p: Palette, font: readonly string[]): LayerSpecification[] =>
  ground
    ? [
        {
          id: CONTOURS,
          type: 'line',
          source: CONTOURS,
          'source-layer': 'contours',
          metadata: { entry: CONTOURS },
          layout: { visibility: 'none' },
          paint: {
            'line-color': p.contour,
            'line-width': ['case', ['get', 'strong'], 1, 0.5] as never,
            'line-opacity': 0.55,
          },
        },
        {
          id: 'contour-heights',
          type: 'symbol',
          source: CONTOURS,
          'source-layer': 'contours',
          metadata: { entry: CONTOURS },
          minzoom: 13,
          filter: ['has', 'label'],
          layout: {
            visibility: 'none',
            'symbol-placement': 'line',
            'text-field': ['get', 'label'],
            'text-font': [...font],
            'text-size': 10,
          },
          paint: { 'text-color': p.contour, 'text-halo-color': p.halo, 'text-halo-width': 1.2 },
        },
      ]
    : [];

/** Aerial pictures, over what they show themselves. */
export const imageryLayers = ({ imagery }: GroundIndex): LayerSpecification[] =>
  imagery
    ? [
        {
          id: IMAGERY,
          type: 'raster',
          source: IMAGERY,
          metadata: { entry: IMAGERY },
          layout: { visibility: 'none' },
          paint: { 'raster-fade-duration': 0 },
        },
      ]
    : [];
