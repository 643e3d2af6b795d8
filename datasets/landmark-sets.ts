/** The layers whose features are the places of a set that is driven to, by the name of the set. */
export const LANDMARK_SETS = {
  '@airports': { dataset: 'bts_ntad', layer: 'aviation_facilities' },
  '@substations': { dataset: 'osm_power', layer: 'substation' },
  '@power_plants': { dataset: 'eia_860m', layer: 'plant' },
  '@rail': { dataset: 'bts_ntad', layer: 'intermodal_tofc_cofc' },
  '@ports': { dataset: 'bts_ntad', layer: 'principal_ports' },
  '@urban_areas': { dataset: 'census_tiger', layer: 'uac20' },
} as const;
