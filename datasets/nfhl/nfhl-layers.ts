import type { Layer } from '../dataset.ts';

/** The layers of the National Flood Hazard Layer that Plat reads, under their own names. */
export const NFHL_LAYERS = {
  S_FLD_HAZ_AR: {
    title: 'flood hazard areas',
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: 12,
    accuracyIn:
      'FEMA, Standards for Digital Flood Insurance Rate Maps: base maps of 1:24,000 (NMAS: 40 feet); metadata of newer maps say 1:12,000',
    assessed: [
      {
        figure: 0.3,
        unit: 'm',
        means:
          'average standard error (1 foot) of the height of the 1 percent flood at river gauges with long records, which base flood elevations elsewhere have at least; National Research Council, Mapping the Zone, 2009',
        page: 'https://nap.nationalacademies.org/catalog/12573/mapping-the-zone-improving-flood-map-accuracy',
      },
    ],
    joinKey: 'DFIRM_ID',
    partition: 'county',
    columns: {
      DFIRM_ID: { type: 'string' },
      FLD_AR_ID: { type: 'string' },
      FLD_ZONE: {
        type: 'string',
        values: ['A', 'AE', 'AH', 'AO', 'AR', 'A99', 'V', 'VE', 'X', 'D', 'OPEN WATER', 'AREA NOT INCLUDED'],
      },
      ZONE_SUBTY: {
        type: 'string',
        // A reading of the legend by which published flood hazard layers are drawn: FLD_ZONE, ZONE_SUBTY "AE, " is the plain
        // base floodplain, "AE,FLOODWAY" the floodway (FeatureServer FEMA_FloodHazard_2019 of services5.arcgis.com, and
        // county FIRMs alike). Zone X with nothing beside it may be either of its shades, so there empty is unknown. The list
        // of subtypes is D_Zone_Subtype of FEMA's FIRM Database Technical Reference.
        emptyIsNone: "FLD_ZONE != 'X'",
      },
      // D_TrueFalse of the same reference.
      SFHA_TF: { type: 'string', description: 'T inside a special flood hazard area, else F.', unknown: ['U'] },
      STATIC_BFE: { type: 'number', unit: 'LEN_UNIT', description: '-9999 and -8888 mean none.' },
      V_DATUM: { type: 'string' },
      LEN_UNIT: { type: 'string' },
    },
  },
  S_FIRM_PAN: {
    title: 'flood map panels',
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: 12,
    accuracyIn: 'as the maps that the panels frame',
    joinKey: 'DFIRM_ID',
    partition: 'county',
    columns: { DFIRM_ID: { type: 'string' }, FIRM_PAN: { type: 'string' }, EFF_DATE: { type: 'date' } },
  },
} as const satisfies Readonly<Record<string, Layer>>;
