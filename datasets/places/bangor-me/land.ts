import type { PlaceLayer } from '../../place.ts';
import { city } from './provenance.ts';

/** Wetlands in the manner of the National Wetlands Inventory; 107 of the polygons carry no code. */
export const wetlands: PlaceLayer = {
  dataset: 'usfws_nwi',
  layer: 'main',
  file: 'bangor-me/wetlands.geojson.gz',
  expectRows: 452,
  columns: {
    ATTRIBUTE: 'ATTRIBUTE',
    // The legend of the NWI mapper, by the code's first class. The file also writes forested (FO) with a zero.
    WETLAND_TYPE: {
      from: 'ATTRIBUTE',
      patterns: [
        { match: '^PEM', value: 'Freshwater Emergent Wetland' },
        { match: '^P(F[O0]|SS)', value: 'Freshwater Forested/Shrub Wetland' },
        { match: '^P(UB|AB)', value: 'Freshwater Pond' },
        { match: '^Pf', value: 'Other' },
        { match: '^R', value: 'Riverine' },
        { match: '^L', value: 'Lake' },
        { match: '^[EM]1', value: 'Estuarine and Marine Deepwater' },
        { match: '^[EM]2', value: 'Estuarine and Marine Wetland' },
      ],
    },
  },
  unpublished: ['ACRES'],
  provenance: city(
    'bangor_wetlands',
    'Bangor wetlands (National Wetlands Inventory codes)',
    'city copy of 2013; photo year not stated',
    'Stands in for usfws_nwi. The type is derived from the code; polygons without a code have no type.',
  ),
};

/** Zoning districts with contract zones. */
export const zoning: PlaceLayer = {
  dataset: 'local_zoning',
  layer: 'main',
  file: 'bangor-me/zoning.shp.zip',
  expectRows: 1_297,
  columns: { ZONE: 'ZONE', CONTRACT: 'CONTRACT' },
  provenance: city('bangor_zoning', 'Bangor zoning districts', '2013-05-10', null),
};
