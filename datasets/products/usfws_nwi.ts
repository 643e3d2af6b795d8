import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'usfws_nwi',
  title: 'National Wetlands Inventory',
  publisher: 'US Fish and Wildlife Service',
  url: 'https://documentst.ecosphere.fws.gov/wetlands/data/State-Downloads/{ST}_geodatabase_wetlands.zip',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'twice a year',
  vintageRule: "Download date of the state file; the imagery year of a wetland is in the publisher's project metadata.",
  notes: 'State files; small part of the country has no digital data, where the answer is absent rather than false.',
  layers: {
    main: {
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      partition: 'state',
      columns: {
        ATTRIBUTE: { type: 'string', description: 'Cowardin classification code.' },
        WETLAND_TYPE: { type: 'string', description: 'General wetland type the publisher derives from the code.' },
        ACRES: { type: 'number', unit: 'acres' },
      },
    },
  },
  fields: {
    within_nwi_wetland: {
      layer: 'land_cover',
      type: 'boolean',
      title: 'Within NWI wetland',
      description:
        'Whether the point falls inside a National Wetlands Inventory wetland (lakes, rivers and deepwater excluded).',
      expression:
        "polygon_within(usfws_nwi, where[WETLAND_TYPE in ('Freshwater Emergent Wetland','Freshwater Forested/Shrub Wetland','Freshwater Pond','Estuarine and Marine Wetland','Other')])",
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: {
        land_cover: 11,
        site_selection: 7,
        solar_siting: 7,
        wind_siting: 31,
        storage_siting: 8,
        data_center_siting: 38,
      },
      hint: 'True is a reason to commission a delineation; false is no clearance, since small and forested wetlands are often missed from the air.',
    },
    nwi_wetland_type: {
      layer: 'land_cover',
      type: 'string',
      title: 'NWI wetland type',
      description: 'Wetland type of the NWI polygon at the point.',
      expression: 'polygon_attr(usfws_nwi, WETLAND_TYPE)',
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 12 },
      hint: 'Forested and emergent types are the slowest and costliest to permit; ponds are often man-made and easier.',
    },
    nwi_wetland_code: {
      layer: 'land_cover',
      type: 'string',
      title: 'NWI wetland code',
      description: 'Cowardin classification code of the NWI polygon at the point.',
      expression: 'polygon_attr(usfws_nwi, ATTRIBUTE)',
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 22 },
      hint: 'Decode it letter by letter with the Cowardin tables: trailing x, h or d tell you that the water was dug, dammed or drained.',
    },
    nearest_wetland_distance_m: {
      layer: 'land_cover',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest wetland',
      description:
        'Distance to the nearest NWI wetland polygon (lakes, rivers and deepwater excluded), zero when inside one.',
      expression:
        "nearest_distance(usfws_nwi, max_km=20, where[WETLAND_TYPE in ('Freshwater Emergent Wetland','Freshwater Forested/Shrub Wetland','Freshwater Pond','Estuarine and Marine Wetland','Other')])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 13, solar_siting: 35, wind_siting: 32 },
      hint: "Set it against the state's buffer, commonly 15 to 75 metres, before placing roads or foundations.",
    },
  },
});
