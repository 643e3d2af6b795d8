import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'nhc_surge',
  title: 'National storm surge hazard maps (SLOSH MOM)',
  publisher: 'NOAA National Hurricane Center',
  url: 'https://www.nhc.noaa.gov/nationalsurge/',
  format: 'geotiff',
  licence: 'US public domain',
  cadence: 'rare',
  vintageRule: 'Version of the national map.',
  notes:
    'Layers cat3 and cat5 of cat1 to cat5, feet above ground; 99 marks leveed areas. Atlantic and Gulf coasts, Hawaii, Puerto Rico, southern California.',
  unconfirmed: 'The value that means dry ground in the files.',
  acquire: {
    files: [
      {
        url: 'https://www.nhc.noaa.gov/gis/hazardmaps/US_SLOSH_MOM_Inundation_v4.zip',
        note: 'June 2026, cells of 10 m, TIFF with LERC; a member a category. 21 is more than 20 ft, 99 a leveed area.',
        seen: 'public code',
        seenOn: '2026-06',
      },
    ],
  },
  layers: {
    cat3: {
      title: 'storm surge of category 3',
      assessed: [
        {
          figure: 20,
          unit: '%',
          means: 'more or less than the peak of a surge is what the model behind the maps is accurate to',
          page: 'https://webarchive.library.unt.edu/eot2008/20080916025904/http:/www.aoml.noaa.gov/hrd/tcfaq/F7.html',
        },
      ],
      kind: 'raster',
      bands: 1,
      unit: 'ft',
      sampling: 'nearest',
      partition: 'national',
    },
    cat5: {
      title: 'storm surge of category 5',
      assessed: [
        {
          figure: 20,
          unit: '%',
          means: 'more or less than the peak of a surge is what the model behind the maps is accurate to',
          page: 'https://webarchive.library.unt.edu/eot2008/20080916025904/http:/www.aoml.noaa.gov/hrd/tcfaq/F7.html',
        },
      ],
      kind: 'raster',
      bands: 1,
      unit: 'ft',
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    storm_surge_cat3_depth_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Storm surge depth, category 3',
      description: 'Worst-case storm surge depth above ground from a category 3 hurricane.',
      expression: 'raster_sample(nhc_surge:cat3, 1, scale=0.3048, null[99])',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { flood_risk: 13, natural_hazard: 12 },
      terms: phrases(`
        storm surge, surge in a category 3, hurricane flooding, marejada, how deep would the surge be, surge, cat 3,
        cat 3 landfall, category 3, water at the door in a hurricane, hurricane surge, surge reach the house,
        marejada ciclónica, category 3 came ashore, hurricane came ashore, how deep in a category 3,
        evacuate for a hurricane, storm surge depth, surge flood, surge water, surge zone,
        evacuation zone for hurricanes, hurricane evacuation, cat three, category three, sea water in the house,
        hurricane push the sea, hurricane water, storm tide, surge depth in a cat 3
      `),
      hint: 'Half a meter floats cars: evacuation zones and generator heights follow from it; behind a levee no depth is stated.',
      verdict: {
        yes: { from: 0.01 },
        matter: 'a category 3 surge reaches the place',
        words: {
          yes: 'A category 3 storm surge would stand {value} deep',
          no: 'A category 3 storm surge would leave the place dry, at a depth of {value}',
        },
        settledBy: "the county's evacuation map",
      },
    },
    storm_surge_cat5_depth_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Storm surge depth, category 5',
      description: 'Worst-case storm surge depth above ground from a category 5 hurricane.',
      expression: 'raster_sample(nhc_surge:cat5, 1, scale=0.3048, null[99])',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { flood_risk: 16 },
      terms: phrases(`
        worst case storm surge, category 5 surge, biggest hurricane flooding, surge depth, cat 5, category 5,
        category 5 came ashore, how deep in a category 5, category 5 landfall, category five, cat five,
        category 5 hurricane, worst surge, worst hurricane surge, worst case surge, maximum surge,
        catastrophic hurricane
      `),
      hint: 'The worst that the coast can see; critical facilities should stay operable above it or be built elsewhere.',
    },
  },
});
