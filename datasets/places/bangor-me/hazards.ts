import type { PlaceLayer } from '../../place/place.ts';
import { city } from './provenance.ts';

/** FEMA Q3 zones as cut to the city: the paper maps before the digital ones, without elevations, floodways or panels. */
export const floodZones: PlaceLayer = {
  dataset: 'fema_nfhl',
  layer: 'S_FLD_HAZ_AR',
  file: 'bangor-me/flood_zones.geojson.gz',
  expectRows: 81,
  columns: {
    // Q3 writes the 0.2 percent zone as X500; the NFHL writes it as X with a subtype.
    FLD_ZONE: { from: 'ZONE', lookup: { A: 'A', AE: 'AE', X500: 'X' } },
    ZONE_SUBTY: { from: 'ZONE', lookup: { X500: '0.2 PCT ANNUAL CHANCE FLOOD HAZARD' } },
    SFHA_TF: { from: 'SFHA', lookup: { IN: 'T', OUT: 'F' } },
  },
  // FLOODWAY is a column of the file but empty in every row.
  unpublished: [
    'DFIRM_ID',
    'FLD_AR_ID',
    'STATIC_BFE',
    'V_DATUM',
    'LEN_UNIT',
    "ZONE_SUBTY like '%FLOODWAY%'",
    "ZONE_SUBTY like '%LEVEE%'",
  ],
  coverage: { file: 'bangor-me/city_boundary.geojson' },
  provenance: city(
    'fema_q3',
    'FEMA Q3 Flood Data, City of Bangor',
    'FIRM panels 2301020005B to 2301020020B; city copy of 2013',
    'Stands in for flood hazard areas (fema_nfhl:S_FLD_HAZ_AR): the zones of paper maps.',
    [
      {
        columns: ['FLD_ZONE'],
        text: 'Outside the zones of this copy zone X, zone D and ground that is not mapped cannot be told apart.',
      },
    ],
  ),
};
