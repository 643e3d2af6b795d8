/** A layer of a dataset that a layer of the map shows. */
export interface MapSource {
  readonly dataset: string;
  readonly layer: string;
  /** Property in the tile → column of the layer. */
  readonly properties: Readonly<Record<string, string>>;
  /** Property in the tile that tells sources of one map layer apart, the same for all of its features. */
  readonly kind?: string;
  /** Least zoom at which this source is shown, where it is more than the map layer's. */
  readonly minZoom?: number;
  /** Below a zoom only features with one of these values are shown: main roads in the overview. */
  readonly overview?: { readonly below: number; readonly column: string; readonly values: readonly string[] };
}

/** A layer of the map: what vector tiles are served of. */
export interface MapLayer {
  readonly title: string;
  /** Tiles of lower zooms are empty: there its features would be smaller than what a screen shows. */
  readonly minZoom: number;
  readonly sources: readonly MapSource[];
}

/** The zoom that tiles are made up to; maps enlarge them beyond it. One unit of a tile is 6 cm on the ground there, at 45 degrees. */
export const MAX_TILE_ZOOM = 16;

const ROADS = 'census_tiger';

/** Every layer of the map, in the order in which they are drawn. Tiles hold no more of a row than a label or a colour needs. */
export const MAP_LAYERS = {
  boundaries: {
    title: 'Boundaries',
    minZoom: 3,
    sources: [
      { dataset: ROADS, layer: 'state', kind: 'state', properties: { name: 'NAME' } },
      { dataset: ROADS, layer: 'county', kind: 'county', minZoom: 6, properties: { name: 'NAMELSAD' } },
      { dataset: ROADS, layer: 'place', kind: 'place', minZoom: 9, properties: { name: 'NAMELSAD' } },
    ],
  },
  water: {
    title: 'Water',
    minZoom: 8,
    sources: [
      { dataset: 'usgs_nhdplus_hr', layer: 'NHDArea', kind: 'area', properties: { name: 'GNIS_Name' } },
      { dataset: 'usgs_nhdplus_hr', layer: 'NHDWaterbody', kind: 'waterbody', properties: { name: 'GNIS_Name' } },
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
    sources: [{ dataset: 'usfws_nwi', layer: 'main', properties: { type: 'WETLAND_TYPE', code: 'ATTRIBUTE' } }],
  },
  flood_zones: {
    title: 'Flood zones',
    minZoom: 10,
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
    sources: [{ dataset: 'local_zoning', layer: 'main', properties: { zone: 'ZONE' } }],
  },
  buildings: {
    title: 'Buildings',
    minZoom: 14,
    sources: [{ dataset: 'fema_usa_structures', layer: 'main', properties: { use: 'OCC_CLS', height: 'HEIGHT' } }],
  },
  roads: {
    title: 'Roads',
    minZoom: 9,
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
    minZoom: 14,
    sources: [{ dataset: 'parcel_store', layer: 'main', properties: { apn: 'apn' } }],
  },
} as const satisfies Record<string, MapLayer>;

export type MapLayerId = keyof typeof MAP_LAYERS;

/** Whether a name is that of a layer of the map. */
export const isMapLayer = (name: string): name is MapLayerId => Object.hasOwn(MAP_LAYERS, name);
