import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'nifc_perimeters',
  title: 'Interagency fire perimeter history, all years',
  publisher: 'National Interagency Fire Center',
  url: 'https://data-nifc.opendata.arcgis.com',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'annual plus in-season',
  vintageRule: 'Publication date of the history, plus the in-season perimeters of the year.',
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://services3.arcgis.com/T4QMspbfLg3qTGWY/arcgis/rest/services/InterAgencyFirePerimeterHistory_All_Years_View/FeatureServer/0',
        ground: 50,
        note: 'A FIRE_YEAR of 9999 is unknown. The newest seasons are in WFIGS_Interagency_Perimeters/FeatureServer/0, under other names.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'fire perimeters',
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      partition: 'state',
      columns: {
        INCIDENT: { type: 'string' },
        FIRE_YEAR: { type: 'string' },
        FIRE_YEAR_INT: { type: 'integer' },
        GIS_ACRES: { type: 'number', unit: 'acres' },
      },
    },
  },
  fields: {
    within_historic_wildfire_perimeter: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Within historic wildfire perimeter',
      description: 'Whether the point falls inside a recorded wildfire perimeter.',
      expression: 'polygon_within(nifc_perimeters)',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { wildfire_underwrite: 8 },
      terms: phrases(`
        has it burned before, burned, burn scar, past wildfire here, did a fire go through, burned over,
        fire come through, has it ever burned, past fire on the land, in a burn area, se quemó,
        wildfire on this ground, ever been a wildfire here, burned in the past, burnt, fire burned, wildfire burned,
        ever burned, burn area, burn perimeter, burned area, fire scar, burned by a wildfire, fire history of the land
      `),
      hint: 'Burnt ground can mean unstable slopes for years and lighter fuel for a while; perimeters include unburnt islands.',
      verdict: {
        yes: true,
        matter: 'the place has burned',
        words: {
          yes: 'The place is inside the perimeter of a past wildfire',
          no: 'The place is outside the perimeters of past wildfires',
        },
        settledBy: "the state forester's fire records",
      },
    },
    nearest_wildfire_perimeter_distance_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest wildfire perimeter',
      description: 'Distance to the nearest recorded wildfire perimeter of 100 acres or more, zero when inside one.',
      expression: 'nearest_distance(nifc_perimeters, max_km=200, where[GIS_ACRES >= 100])',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { wildfire_underwrite: 9 },
      terms: phrases(`
        how close did a wildfire come, nearest past fire, distance to a burn area, closest fire,
        distance to a past fire, how close did fire come, fires nearby, nearest wildfire, closest wildfire,
        how close have fires come, how close did fires get, fire came close, distance to a wildfire, closest burn,
        near a past fire, past wildfire nearby, recent fires nearby, blaze nearby
      `),
      hint: 'Near fires in recent decades raise insurance questions even where hazard maps are mild.',
      verdict: {
        yes: { under: 1609.344 },
        matter: 'wildfire has burned near',
        words: {
          yes: 'The nearest past wildfire is {value} away, near enough for questions on insurance',
          no: 'The nearest past wildfire is {value} away',
        },
        settledBy: "the state forester's fire records",
      },
    },
    nearest_wildfire_year: {
      layer: 'hazards',
      type: 'integer',
      title: 'Nearest wildfire year',
      description: 'Year of the nearest recorded wildfire of 100 acres or more.',
      expression: 'nearest_attr(nifc_perimeters, FIRE_YEAR_INT, max_km=200, where[GIS_ACRES >= 100])',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { wildfire_underwrite: 10 },
      terms: phrases(`
        when was the last fire, year of the wildfire, when did it burn, last fire, year of the last fire,
        when was the last one to burn, when was there last a fire, year did a fire come close, year of the fire,
        last wildfire, last burn, fire year, how recent was the fire, most recent fire, when was the last wildfire,
        last big fire, last blaze
      `),
      hint: 'Fuel recovers in 10 to 30 years, so an old fire is less comfort than a recent one.',
    },
    wildfire_perimeter_count_within_10km: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'Wildfire perimeter count within 10 km',
      description: 'Number of recorded wildfire perimeters of 100 acres or more within 10 km.',
      expression: 'count_within(nifc_perimeters, radius_m=10000, where[GIS_ACRES >= 100])',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { wildfire_underwrite: 11 },
      terms: phrases(`
        how many wildfires, number of fires nearby, fire history, past fires around, fires within 10 km,
        number of wildfires, cuántos incendios, fires around, wildfires nearby, number of fires, past wildfires,
        fires in the area, wildfires in the area, how many fires, history of wildfires, wildfire history,
        big fires around, past fires
      `),
      hint: 'Repeated burns nearby show that the landscape carries fire; insurers count them, and fuel may be thinner for a decade after.',
    },
  },
});
