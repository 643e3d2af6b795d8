import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usdm',
  title: 'US Drought Monitor',
  publisher: 'National Drought Mitigation Center, USDA, NOAA',
  url: 'https://droughtmonitor.unl.edu/data/shapefiles_m/USDM_{yyyymmdd}_M.zip',
  format: 'shp zip',
  licence: 'free with attribution',
  cadence: 'weekly',
  vintageRule: 'Date in the file name (Tuesday of the week).',
  notes: 'DM 0 to 4.',
  acquire: {
    files: [{ url: 'https://droughtmonitor.unl.edu/data/shapefiles_m/USDM_current_M.zip', seen: 'public code' }],
  },
  layers: {
    main: {
      title: 'drought areas',
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      partition: 'national',
      columns: {
        DM: { type: 'integer', description: '0 abnormally dry to 4 exceptional drought.' },
      },
    },
  },
  fields: {
    drought_category: {
      layer: 'hazards',
      type: 'string',
      title: 'Drought category',
      description: 'Current US Drought Monitor category at the point, from D0 to D4; absent when not in drought.',
      expression: 'polygon_attr(usdm, DM, pick=max, map=usdm_categories)',
      confidence: 'const(high)',
      ttlSeconds: 604_800,
      presets: { wildfire_underwrite: 35, natural_hazard: 13 },
      terms: phrases(`
        drought, dry conditions now, is there a drought, drought monitor, sequía, in a drought, drought now,
        current drought, d0 to d4, too dry now, drought level, drought status, d level, drought stage,
        drought this week, droughty, drought monitor category, extreme drought, severe drought, water restrictions,
        drought conditions, parched, abnormally dry
      `),
      hint: 'D2 and worse opens emergency farm loans and brings watering limits; it is a weekly state, so date every quotation.',
      verdict: {
        yes: ['D2', 'D3', 'D4'],
        matter: 'drought is severe',
        words: {
          yes: 'The drought category is {value}, severe enough for emergency loans and watering limits',
          no: 'The drought category is {value}',
        },
        settledBy: "next week's drought map",
      },
    },
  },
});
