import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { Theme } from '../shell/theme.ts';
import type { Units } from '../values/units.ts';
import type { Credit } from './credits.ts';
import { CONTOURS, contourLayers, type GroundIndex, groundSources, imageryLayers, reliefLayers } from './ground.ts';
import { PALETTES, type Palette } from './palette.ts';
import { shapeLayers } from './shape-layers.ts';
import { TILE_SCHEME } from './tile-loader.ts';

/** The tile layers of this server, from GET /tiles.json. */
export interface TileIndex extends GroundIndex {
  readonly release: string | null;
  readonly bounds?: readonly [number, number, number, number];
  readonly vector_layers: readonly TileLayer[];
  /** Whom the map names, with licences. */
  readonly credits: readonly Credit[];
}

/** A tile layer, and the zooms of which it has tiles. */
interface TileLayer {
  readonly id: string;
  readonly minzoom: number;
  readonly maxzoom: number;
}

/** Sources of the map beside the tiles. */
export const OVERLAYS = ['outside', 'shapes', 'parcel', 'matches', 'area', 'draft'] as const;
export type OverlayName = (typeof OVERLAYS)[number];

/** The layer that outlines a parcel by its number, from the tiles. */
export const NAMED_PARCEL = 'parcel-named';
/** The filter of that layer. @param apn null for no parcel. */
export const outlined = (apn: string | null) => ['==', ['get', 'apn'], apn ?? ''];

/** Stands for the source of a layer's tiles until it is known which one that is. */
const TILES = 'tiles';

/** Of the system: a style without `glyphs` draws labels with the first of these that is installed. */
const FONT = ['Noto Sans', 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', 'Arial'];
const NOTHING = { type: 'FeatureCollection', features: [] } as const;

type Width = readonly [zoom: number, pixels: number][];
const growing = (...stops: Width) =>
  ['interpolate', ['exponential', 1.5], ['zoom'], ...stops.flat()] as unknown as number;

const MAIN_ROAD = ['in', ['get', 'class'], ['literal', ['S1100', 'S1200', 'S1630']]];
/** Names stand at points, of which each area has one. */
const NAMED = ['==', ['geometry-type'], 'Point'];
const AREAS = ['==', ['geometry-type'], 'Polygon'];
const FLOODS = ['==', ['get', 'sfha'], 'T'];

function base(index: TileIndex, p: Palette): LayerSpecification[] {
  const of = (layer: string) => ({ source: TILES, 'source-layer': layer }) as const;
  return [
    { id: 'land', type: 'background', paint: { 'background-color': p.land } },
    ...reliefLayers(index, p),
    {
      id: 'zoning',
      type: 'line',
      ...of('zoning'),
      minzoom: 12,
      paint: { 'line-color': p.zoning, 'line-width': 1, 'line-dasharray': [3, 2], 'line-opacity': 0.6 },
    },
    { id: 'wetlands', type: 'fill', ...of('wetlands'), paint: { 'fill-color': p.wetland, 'fill-opacity': 0.85 } },
    {
      id: 'water',
      type: 'fill',
      ...of('water'),
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': p.water },
    },
    {
      id: 'streams',
      type: 'line',
      ...of('water'),
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': p.waterLine, 'line-width': growing([11, 0.6], [16, 2.5]) },
    },
    ...contourLayers(index, p, FONT),
    {
      id: 'buildings',
      type: 'fill',
      ...of('buildings'),
      paint: { 'fill-color': p.building, 'fill-outline-color': p.buildingLine },
    },
    ...imageryLayers(index),
    {
      id: 'parcels',
      type: 'line',
      ...of('parcels'),
      paint: { 'line-color': p.parcel, 'line-width': growing([14, 0.4], [17, 1.2]) },
    },
    {
      id: 'flood',
      type: 'fill',
      ...of('flood_zones'),
      filter: FLOODS as never,
      paint: {
        'fill-color': ['case', ['in', 'FLOODWAY', ['coalesce', ['get', 'subtype'], '']], p.floodway, p.flood],
        'fill-opacity': 0.22,
      },
    },
    {
      id: 'flood-edge',
      type: 'line',
      ...of('flood_zones'),
      filter: FLOODS as never,
      minzoom: 12,
      paint: { 'line-color': p.floodLine, 'line-width': 0.8, 'line-opacity': 0.7 },
    },
    {
      id: 'road-casing',
      type: 'line',
      ...of('roads'),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': p.roadCasing, 'line-width': growing([9, 0.6], [13, 1.6], [16, 9], [19, 26]) },
    },
    {
      id: 'road',
      type: 'line',
      ...of('roads'),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': ['case', MAIN_ROAD, p.mainRoad, p.road] as never,
        'line-width': growing([9, 0.4], [13, 1], [16, 7], [19, 22]),
      },
    },
    {
      id: 'boundaries',
      type: 'line',
      ...of('boundaries'),
      filter: AREAS as never,
      paint: {
        'line-color': p.boundary,
        'line-width': ['match', ['get', 'kind'], 'state', 1.6, 'county', 1.2, 0.7],
        'line-dasharray': [4, 2],
        'line-opacity': 0.7,
      },
    },
  ];
}

function labels(p: Palette): LayerSpecification[] {
  const paint = { 'text-color': p.text, 'text-halo-color': p.halo, 'text-halo-width': 1.4 };
  return [
    {
      id: 'road-names',
      type: 'symbol',
      source: TILES,
      'source-layer': 'roads',
      minzoom: 13,
      layout: {
        'symbol-placement': 'line',
        'text-field': ['get', 'name'],
        'text-font': FONT,
        'text-size': growing([13, 10], [17, 13]),
      },
      paint: { ...paint, 'text-halo-color': p.road },
    },
    {
      id: 'water-names',
      type: 'symbol',
      source: TILES,
      'source-layer': 'water',
      minzoom: 12,
      filter: NAMED as never,
      layout: { 'text-field': ['get', 'name'], 'text-font': FONT, 'text-size': 12 },
      paint: { ...paint, 'text-color': p.softText },
    },
    {
      id: 'parcel-numbers',
      type: 'symbol',
      source: TILES,
      'source-layer': 'parcels',
      minzoom: 16.5,
      layout: { 'text-field': ['get', 'apn'], 'text-font': FONT, 'text-size': 10, 'text-padding': 20 },
      paint: { ...paint, 'text-color': p.softText },
    },
    {
      id: 'place-names',
      type: 'symbol',
      source: TILES,
      'source-layer': 'boundaries',
      filter: NAMED as never,
      maxzoom: 14,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': FONT,
        'text-size': growing([8, 11], [13, 15]),
        'symbol-sort-key': ['match', ['get', 'kind'], 'state', 0, 'place', 1, 2] as never,
      },
      paint,
    },
  ];
}

function overlays(p: Palette): LayerSpecification[] {
  const chosen = ['boolean', ['feature-state', 'chosen'], false] as never;
  return [
    {
      id: 'outside',
      type: 'fill',
      source: 'outside',
      paint: { 'fill-color': p.outside, 'fill-opacity': 0.28 },
    },
    {
      id: 'outside-edge',
      type: 'line',
      source: 'outside',
      paint: { 'line-color': p.boundary, 'line-width': 1, 'line-opacity': 0.6 },
    },
    {
      id: NAMED_PARCEL,
      type: 'line',
      source: TILES,
      'source-layer': 'parcels',
      filter: outlined(null) as never,
      paint: { 'line-color': p.accent, 'line-width': 3 },
    },
    ...shapeLayers,
    { id: 'area', type: 'fill', source: 'area', paint: { 'fill-color': p.area, 'fill-opacity': 0.08 } },
    {
      id: 'area-edge',
      type: 'line',
      source: 'area',
      paint: { 'line-color': p.area, 'line-width': 2, 'line-dasharray': [2, 1.5] },
    },
    {
      id: 'matches',
      type: 'fill',
      source: 'matches',
      paint: { 'fill-color': p.accent, 'fill-opacity': ['case', chosen, 0.5, 0.2] },
    },
    {
      id: 'matches-edge',
      type: 'line',
      source: 'matches',
      paint: { 'line-color': p.accent, 'line-width': ['case', chosen, 3, 1.5] },
    },
    { id: 'parcel', type: 'fill', source: 'parcel', paint: { 'fill-color': p.accent, 'fill-opacity': 0.14 } },
    { id: 'parcel-edge', type: 'line', source: 'parcel', paint: { 'line-color': p.accent, 'line-width': 2.5 } },
    {
      id: 'draft-line',
      type: 'line',
      source: 'draft',
      paint: { 'line-color': p.area, 'line-width': 2, 'line-dasharray': [2, 1.5] },
    },
    {
      id: 'draft-corner',
      type: 'circle',
      source: 'draft',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': ['match', ['get', 'role'], 'middle', 3.5, 5] as never,
        'circle-color': p.land,
        'circle-stroke-color': p.area,
        'circle-stroke-width': 2,
      },
    },
  ];
}

/** A source of tiles. */
interface TileSource {
  readonly name: string;
  readonly tiles: string[];
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly layers: readonly string[];
}

/**
 * The sources of the map's layers: one for all that have tiles down to the same zoom, which the map then enlarges. The
 * loader of tiles knows of which release they are.
 */
export function tileSources({ vector_layers: all }: TileIndex): TileSource[] {
  return [...new Set(all.map(({ maxzoom }) => maxzoom))].map(maxzoom => {
    const alike = all.filter(layer => layer.maxzoom === maxzoom);
    const layers = alike.map(({ id }) => id);
    return {
      name: `tiles-${maxzoom}`,
      tiles: [`${TILE_SCHEME}://${layers.join(',')}/{z}/{x}/{y}`],
      minzoom: Math.min(...alike.map(({ minzoom }) => minzoom)),
      maxzoom,
      layers,
    };
  });
}

/** The whole style. What is of the ground is not shown before the list of layers shows it. */
export function styleOf(index: TileIndex, theme: Theme, units: Units): StyleSpecification {
  const palette = PALETTES[theme];
  const sources = tileSources(index);
  const sourceOf = (layer: string) => sources.find(({ layers }) => layers.includes(layer))?.name;
  const placed = (layer: LayerSpecification): LayerSpecification[] => {
    if (!('source-layer' in layer) || layer.source === CONTOURS) return [layer];
    const source = sourceOf(layer['source-layer']!);
    return source === undefined ? [] : [{ ...layer, source }];
  };
  return {
    version: 8,
    sources: {
      ...Object.fromEntries(
        sources.map(({ name, tiles, minzoom, maxzoom }) => [
          name,
          { type: 'vector', tiles, minzoom, maxzoom } as const,
        ]),
      ),
      ...groundSources(index, units),
      ...Object.fromEntries(OVERLAYS.map(name => [name, { type: 'geojson', data: NOTHING as never }])),
    },
    layers: [...base(index, palette), ...labels(palette), ...overlays(palette)].flatMap(placed),
  };
}
