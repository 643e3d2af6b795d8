/** A layer of a dataset that is part of a map layer. */
export interface MapSource {
  readonly dataset: string;
  readonly layer: string;
  /** Property in the tile → column of the layer. */
  readonly properties: Readonly<Record<string, string>>;
  /** Value of the tile property that tells the sources of one map layer apart. */
  readonly kind?: string;
  /** Lowest zoom that shows this source, when it is higher than the map layer's. */
  readonly minZoom?: number;
  /**
   * Whether each polygon has a point beside it, in the one tile of a zoom that holds its innermost point: a name stands there once,
   * however many tiles the polygon lies in.
   */
  readonly named?: true;
  /** Below a zoom, only features with one of these values are shown, such as main roads in the overview. */
  readonly overview?: { readonly below: number; readonly column: string; readonly values: readonly string[] };
}

/** A layer of the map, from which vector tiles are made. */
export interface MapLayer {
  readonly title: string;
  /** There are no tiles of lower zooms, because features would be too small for a screen. */
  readonly minZoom: number;
  /**
   * There are no tiles of higher zooms: maps enlarge these. A unit of a tile is 14 m on the ground at 45° latitude at zoom 9,
   * 42 cm at 14, 11 cm at 16. Boundaries end at 9: to zoom 12 those of all counties of the nation took minutes to draw.
   */
  readonly maxZoom: number;
  readonly sources: readonly MapSource[];
}

const ROADS = 'census_tiger';

/** The layers of the map in drawing order. Tiles hold only the columns that a label or a colour needs. */
export const MAP_LAYERS = {
  boundaries: {
    title: 'Boundaries',
    minZoom: 3,
    maxZoom: 9,
    sources: [
      { dataset: ROADS, layer: 'state', kind: 'state', named: true, properties: { name: 'NAME' } },
      {
        dataset: ROADS,
        layer: 'county',
        kind: 'county',
        named: true,
        minZoom: 6,
        properties: { name: 'NAMELSAD', geoid: 'GEOID' },
      },
      { dataset: ROADS, layer: 'place', kind: 'place', named: true, minZoom: 9, properties: { name: 'NAMELSAD' } },
    ],
  },
  water: {
    title: 'Water',
    minZoom: 8,
    maxZoom: 14,
    sources: [
      { dataset: 'usgs_nhdplus_hr', layer: 'NHDArea', kind: 'area', named: true, properties: { name: 'GNIS_Name' } },
      {
        dataset: 'usgs_nhdplus_hr',
        layer: 'NHDWaterbody',
        kind: 'waterbody',
        named: true,
        properties: { name: 'GNIS_Name' },
      },
      {
        dataset: 'usgs_nhdplus_hr',
        layer: 'NHDFlowline',
        kind: 'flowline',
        minZoom: 11,
        properties: { name: 'GNIS_Name' },
      },
    ],
  },
  wetlands: {
    title: 'Wetlands',
    minZoom: 11,
    maxZoom: 14,
    sources: [{ dataset: 'usfws_nwi', layer: 'main', properties: { type: 'WETLAND_TYPE', code: 'ATTRIBUTE' } }],
  },
  flood_zones: {
    title: 'Flood zones',
    minZoom: 10,
    maxZoom: 14,
    sources: [
      {
        dataset: 'fema_nfhl',
        layer: 'S_FLD_HAZ_AR',
        properties: { zone: 'FLD_ZONE', subtype: 'ZONE_SUBTY', sfha: 'SFHA_TF' },
      },
    ],
  },
  zoning: {
    title: 'Zoning',
    minZoom: 11,
    maxZoom: 14,
    sources: [{ dataset: 'local_zoning', layer: 'main', properties: { zone: 'ZONE' } }],
  },
  buildings: {
    title: 'Buildings',
    minZoom: 15,
    maxZoom: 16,
    sources: [{ dataset: 'fema_usa_structures', layer: 'main', properties: { use: 'OCC_CLS', height: 'HEIGHT' } }],
  },
  roads: {
    title: 'Roads',
    minZoom: 9,
    maxZoom: 14,
    sources: [
      {
        dataset: ROADS,
        layer: 'roads',
        properties: { name: 'FULLNAME', class: 'MTFCC' },
        overview: { below: 12, column: 'MTFCC', values: ['S1100', 'S1200'] },
      },
    ],
  },
  parcels: {
    title: 'Parcels',
    minZoom: 15,
    maxZoom: 16,
    sources: [{ dataset: 'parcel_store', layer: 'main', properties: { apn: 'apn' } }],
  },
} as const satisfies Record<string, MapLayer>;

/**
 * The ground that the map shades and draws contours of. Tiles of heights have 256 cells a side, of 13 m at 45° at their deepest
 * zoom, which is about what the national model has; above the least one tile would be made of millions of its cells.
 */
export const TERRAIN = {
  source: { dataset: 'usgs_3dep', layer: 'main' },
  heights: { minZoom: 11, maxZoom: 13 },
  contours: { minZoom: 12, maxZoom: 14 },
} as const;

export type MapLayerId = keyof typeof MAP_LAYERS;

/** Whether a name is that of a layer of the map. */
export const isMapLayer = (name: string): name is MapLayerId => Object.hasOwn(MAP_LAYERS, name);
