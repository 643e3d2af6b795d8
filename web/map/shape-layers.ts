import type { Map as Canvas, LayerSpecification, Point } from 'maplibre-gl';
import type { MapShape } from './scene.ts';

/** Layers of the map that a click may hit as a shape. */
export const SHAPES: readonly string[] = ['shapes', 'shapes-points'];

const COLOR = ['get', 'color'] as never;
const IS_POINT = ['==', ['geometry-type'], 'Point'] as never;

/** Ground and points that a view draws in colors of its own. */
export const shapeLayers: readonly LayerSpecification[] = [
  {
    id: 'shapes',
    type: 'fill',
    source: 'shapes',
    filter: ['!', IS_POINT],
    paint: { 'fill-color': COLOR, 'fill-opacity': ['get', 'opacity'] as never },
  },
  {
    id: 'shapes-edge',
    type: 'line',
    source: 'shapes',
    filter: ['!', IS_POINT],
    paint: { 'line-color': COLOR, 'line-width': 1.2 },
  },
  {
    id: 'shapes-points',
    type: 'circle',
    source: 'shapes',
    filter: IS_POINT,
    paint: { 'circle-radius': 6, 'circle-color': COLOR, 'circle-stroke-color': '#ffffff', 'circle-stroke-width': 1.5 },
  },
];

/** Shapes as features of the map's source. */
export const shapeFeatures = (shapes: readonly MapShape[]) =>
  shapes.map(({ id, geometry, color, opacity }) => ({ type: 'Feature', id, geometry, properties: { color, opacity } }));

/** The id of what some layers draw at a point of the page; undefined for nothing, and while the style is on its way. */
export const idAt = (map: Canvas, point: Point, layers: readonly string[]) =>
  layers.every(id => map.getLayer(id)) ? map.queryRenderedFeatures(point, { layers: [...layers] })[0]?.id : undefined;
