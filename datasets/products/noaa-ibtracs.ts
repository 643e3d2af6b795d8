import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'noaa_ibtracs',
  title: 'International Best Track Archive, North Atlantic and Pacific',
  publisher: 'NOAA NCEI',
  url: 'https://www.ncei.noaa.gov/products/international-best-track-archive',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'several times a week (loaded twice a year)',
  vintageRule: 'Last modification date of the file.',
  acquire: {
    files: [
      {
        url: 'https://www.ncei.noaa.gov/data/international-best-track-archive-for-climate-stewardship-ibtracs/v04r01/access/shapefile/IBTrACS.NA.list.v04r01.lines.zip',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'hurricane tracks',
      assessed: [
        {
          figure: 0.1,
          unit: 'degrees',
          means: 'is the step in which the best tracks give positions',
          page: 'https://doi.org/10.1175/MWR-D-12-00254.1',
        },
      ],
      kind: 'vector',
      geometry: 'line',
      joinKey: 'SID',
      partition: 'national',
      columns: {
        SID: { type: 'string', description: 'Identifier of the storm.' },
        NAME: { type: 'string' },
        SEASON: { type: 'integer' },
        USA_WIND: { type: 'number', unit: 'kn' },
        USA_SSHS: {
          type: 'integer',
          description: 'Saffir-Simpson category 1 to 5; 0 and below are weaker, -5 is unknown.',
          // IBTrACS column documentation, v04.
          unknown: [-5],
        },
      },
    },
  },
  fields: {
    hurricane_track_count_within_100km: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'Hurricane track count within 100 km',
      description:
        'Number of hurricane-strength track segments passing within 100 km since 1851, counted once per storm.',
      expression: 'count_within(noaa_ibtracs, radius_m=100000, distinct=SID, where[USA_SSHS >= 1])',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { flood_risk: 45, natural_hazard: 8 },
      terms: phrases(`
        hurricane, how many hurricanes, tropical storm, hurricane history, huracán, cyclone, hurricanes,
        hurricanes hit, number of hurricanes, huracanes, storms came close, storms passed, tropical storms,
        hurricanes come by, storms hit, hurricanes in the past, how often hurricanes, hurricanes passed,
        tropical cyclones, tropical storms hit, hurricane strikes, huracanes han pasado, storm history,
        how many storms, number of storms
      `),
      hint: 'A century and a half of passes: divide by it for a return period, and expect wind damage well off the track.',
    },
    hurricane_max_category_within_100km: {
      layer: 'hazards',
      type: 'integer',
      title: 'Hurricane max category within 100 km',
      description: 'Highest Saffir-Simpson category of a hurricane track within 100 km since 1851.',
      expression: 'agg_within(noaa_ibtracs, USA_SSHS, agg=max, radius_m=100000, where[USA_SSHS >= 1])',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { natural_hazard: 23 },
      terms: phrases(`
        strongest hurricane, worst hurricane, category of hurricane, biggest storm ever, worst hurricane on record,
        strongest storm, highest category, strongest hurricane to pass, biggest hurricane, most powerful hurricane,
        worst storm, strongest to hit, strong was the hurricane, category was the hurricane,
        highest hurricane category, fiercest
      `),
      hint: 'What the area has seen at its worst, not the design wind; early storms were rated from sparse ship reports.',
    },
  },
});
