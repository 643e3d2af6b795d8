import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usfws_nwi',
  title: 'National Wetlands Inventory',
  publisher: 'US Fish and Wildlife Service',
  url: 'https://documentst.ecosphere.fws.gov/wetlands/data/State-Downloads/{ST}_geopackage_wetlands.zip',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'twice a year',
  vintageRule: "Download date of the state file; the imagery year of a wetland is in the publisher's project metadata.",
  notes: 'State files; small part of the country has no digital data, where the answer is absent rather than false.',
  acquire: {
    files: [
      {
        url: 'https://documentst.ecosphere.fws.gov/wetlands/data/State-Downloads/{ST}_geopackage_wetlands.zip',
        form: { ending: '.zip', options: { layer: '{ST}_Wetlands' } },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'wetlands',
      assessed: [
        {
          figure: 27,
          unit: '%',
          means: 'of 1,751 areas compared had wetland delineated on the ground and none in the inventory',
          page: 'https://bvbvf1.bib-bvb.de/vufind/PrimoRecord/cdi_proquest_journals_2919732508',
        },
      ],
      // Forested and small wetlands are often not seen from the air.
      omission: 'of 1,751 areas compared 27 % had wetland on the ground and none in the inventory',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 12,
      accuracyIn:
        'FWS, National Wetlands Inventory, project metadata: mapped on quadrangles of 1:24,000 (NMAS: 0.02 inch)',
      joinKey: null,
      partition: 'state',
      columns: {
        ATTRIBUTE: { type: 'string', description: 'Cowardin classification code.' },
        WETLAND_TYPE: {
          type: 'string',
          description: 'General wetland type the publisher derives from the code.',
          values: [
            'Estuarine and Marine Deepwater',
            'Estuarine and Marine Wetland',
            'Freshwater Emergent Wetland',
            'Freshwater Forested/Shrub Wetland',
            'Freshwater Pond',
            'Lake',
            'Riverine',
            'Other',
          ],
        },
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
      terms: phrases(`
        is it a wetland, swamp, marsh, bog, is it wet ground, humedal, protected wetland, is the land swampy, wetland,
        in a wetland, on a wetland, jurisdictional wetland, wet area, pantano, is any of it wetland, marshy,
        terreno pantanoso, any marsh, wetlands map, swamp on the property, swampy, cattails, bayou, slough, wetlands,
        boggy, wetlands inventory, army corps, corps of engineers, 404 permit
      `),
      hint: 'True is a reason to commission a delineation; false is no clearance, since small and forested wetlands are often missed from the air.',
      verdict: {
        yes: true,
        matter: 'the place is a wetland',
        words: {
          yes: 'The place is inside a mapped wetland',
          no: 'The place is outside the mapped wetlands',
        },
        settledBy: 'a wetland delineation',
      },
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
      terms: phrases(`
        what kind of wetland, type of marsh, forested wetland, emergent wetland, kind of swamp, wetland type,
        type of wetland, tipo de humedal, sort of wetland, type of swamp, marsh or swamp, pond or marsh,
        freshwater or tidal, emergent or forested, tidal marsh, estuarine
      `),
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
      terms: phrases(`
        cowardin code, wetland classification, wetland code, pfo1, pem1, nwi code, code of the wetland,
        cowardin class, nwi classification, cowardin, wetland class code
      `),
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
      terms: phrases(`
        how far is the nearest wetland, swamp nearby, marsh nearby, wetland setback, wetland buffer,
        close to a wetland, nearest wetland, distance to wetlands, wetlands close by, humedal más cercano,
        closest swamp, closest wetland, distance to a swamp, nearest marsh, nearest bog, away from wetlands,
        buffer from a wetland, how close to a marsh, near a swamp
      `),
      hint: "Set it against the state's buffer, commonly 15 to 75 meters, before placing roads or foundations.",
      verdict: {
        yes: { under: 75 },
        matter: 'the place is in a wetland buffer',
        words: {
          yes: 'The nearest wetland is {value} away, near enough for a buffer rule',
          no: 'The nearest wetland is {value} away',
        },
        settledBy: 'a wetland delineation',
      },
    },
    wetland_fraction_within_500m: {
      layer: 'land_cover',
      type: 'number',
      unit: 'fraction',
      title: 'Wetland fraction within 500 m',
      description: 'Share of the area within 500 m covered by NWI wetlands (lakes, rivers and deepwater excluded).',
      expression:
        "overlap_fraction(usfws_nwi, over=radius:500, where[WETLAND_TYPE in ('Freshwater Emergent Wetland','Freshwater Forested/Shrub Wetland','Freshwater Pond','Estuarine and Marine Wetland','Other')])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 23 },
      terms: phrases(`
        how much wetland around, wet land nearby, share of swamp around, surrounded by marsh, share of wetland nearby,
        percent marsh, marsh close by, how marshy, share of marsh, how swampy is it around, wetlands nearby,
        percent wetland, how wet is the area
      `),
      hint: 'A high share means crossings and buffers on the way in, even where the site itself is dry.',
    },
    wetland_fraction_of_parcel: {
      layer: 'parcels',
      type: 'number',
      unit: 'fraction',
      title: 'Wetland fraction of parcel',
      description: 'Share of the matched parcel covered by NWI wetlands (lakes, rivers and deepwater excluded).',
      expression:
        "overlap_fraction(usfws_nwi, over=parcel, where[WETLAND_TYPE in ('Freshwater Emergent Wetland','Freshwater Forested/Shrub Wetland','Freshwater Pond','Estuarine and Marine Wetland','Other')])",
      confidence: 'parcel_match',
      ttlSeconds: 2_592_000,
      terms: phrases(`
        how much of the lot is wetland, share of the property that is wet, percent wetland of the parcel,
        swampy part of the land, share of wetland on the parcel, percent of the lot that is wetland, portion wetland, how much of it is wetland,
        how much of the land is swamp, portion of the lot is wetland, lot is swamp, fraction wetland,
        percent of the property is wetland, wet part of the lot, mostly swamp, mostly wetland, proportion of wetland
      `),
      hint: 'Above a third, expect the buildable layout to be drawn by the wetland line and not by the lot line.',
      verdict: {
        yes: { from: 0.3334 },
        margin: 0.03,
        matter: 'wetlands decide what fits on the lot',
        words: {
          yes: 'Wetlands cover {value} of the lot, enough to decide what fits there',
          no: 'Wetlands cover {value} of the lot',
        },
        settledBy: 'a wetland delineation',
      },
    },
    wetland_acres_on_parcel: {
      layer: 'parcels',
      type: 'number',
      unit: 'acres',
      title: 'Wetland acres on parcel',
      description: 'Area of the matched parcel covered by NWI wetlands.',
      expression: 'derived(expr[f * a / 4046.8564224], f=@wetland_fraction_of_parcel, a=@parcel_area_m2)',
      confidence: 'min_inputs',
      ttlSeconds: 2_592_000,
      terms: phrases(`
        acres of wetland, wetland on the property, wet acres, swamp acres on my land, acreage of marsh, wetland acres,
        acres that are wet, acres are wet, acres of it are wet, wet acreage, any of it wetland, wetland acreage,
        acres of swamp, acres of marsh, wetlands on the property, wetlands on the lot, wetland area on the lot,
        acres wet, swamp acreage, acreage of wetland, acres of bog, wetlands on my land
      `),
      hint: 'Filling more than half an acre normally rules out a nationwide permit and calls for an individual one.',
      verdict: {
        yes: { from: 0.5 },
        margin: 0.05,
        matter: 'wetlands on the lot need an individual permit to fill',
        words: {
          yes: 'The wetland on the lot is {value}, too much to fill without an individual permit',
          no: 'The wetland on the lot is {value}',
        },
        settledBy: 'a wetland delineation',
      },
    },
  },
});
