import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'noaa_slr',
  title: 'Sea level rise inundation extents, 0 to 10 ft',
  publisher: 'NOAA Office for Coastal Management',
  url: 'https://coast.noaa.gov/slrdata/',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'rare',
  vintageRule: 'Publication date of the region.',
  notes:
    'level_ft is taken from the layer name; hydrologically connected inundation only. Alaska not covered. Half-foot layers are not read. Distributed as geodatabases, newer regions as GeoPackages.',
  unconfirmed: 'Names of the layers in every region; each is mapped by a place file.',
  acquire: {
    files: [
      {
        url: '{link}',
        vintage: {
          index: 'https://coast.noaa.gov/slrdata/Sea_Level_Rise_Vectors/{ST}/URLlist_{ST}.txt',
          link: '\\S*/{region}_slr\\S*',
        },
        note: 'The list of a state names its regions; layers are called ME_slr_3ft or ME_slr_3_0ft.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'sea level rise',
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      partition: 'state',
      columns: {
        level_ft: { type: 'integer', unit: 'ft', description: 'From the name of the layer, such as ME_slr_3ft.' },
      },
    },
  },
  fields: {
    sea_level_rise_lowest_inundating_ft: {
      layer: 'hazards',
      type: 'integer',
      unit: 'ft',
      title: 'Lowest inundating sea level rise',
      description:
        'Smallest whole-foot sea level rise above mean higher high water (0 to 10) that inundates the point.',
      expression: 'polygon_attr(noaa_slr, level_ft, pick=min)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { flood_risk: 14, natural_hazard: 25 },
      terms: phrases(`
        sea level rise, rising seas, how many feet of sea rise, aumento del nivel del mar, rising sea,
        future sea level, under water in the future, inundated by the sea, subida del mar, rising tides,
        ocean comes up, ocean rises, sea comes up, ice caps melt, sea levels, ocean rise, oceans rise, sea level,
        sea rise, rising ocean, rising water, tide rise, climate change sea, sea rises, rise of the sea, ocean rising,
        seas rise, sea swallow, feet of sea level rise, melting ice
      `),
      hint: '0 is wet at high tide today; 3 or less falls within the life of a new building, and the road may go under first.',
      verdict: {
        yes: { under: 3.5 },
        matter: 'the sea reaches the place within the life of a building',
        words: {
          yes: 'A sea level rise of {value} would put the place under water at high tide',
          no: 'It would take a sea level rise of {value} to reach the place',
        },
        settledBy: 'a surveyed elevation',
      },
    },
  },
});
