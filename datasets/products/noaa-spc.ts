import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'noaa_spc',
  title: 'Severe weather database (SVRGIS)',
  publisher: 'NOAA Storm Prediction Center',
  url: 'https://www.spc.noaa.gov/gis/svrgis/',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'Last year in the file name.',
  notes: 'Layers tornado (tracks), hail (points). Reporting density follows population.',
  acquire: {
    files: [
      {
        layers: ['tornado'],
        url: 'https://www.spc.noaa.gov/gis/svrgis/zipped/1950-{year}-torn-aspath.zip',
        vintage: { newest: 'year', back: 4 },
        seen: 'public code',
      },
      {
        layers: ['hail'],
        url: 'https://www.spc.noaa.gov/gis/svrgis/zipped/1955-{year}-hail-aspath.zip',
        vintage: { newest: 'year', back: 4 },
        seen: 'public code',
      },
    ],
  },
  layers: {
    tornado: {
      title: 'tornado tracks',
      assessed: [
        {
          figure: 0.01,
          unit: 'degrees',
          means: 'is the step in which older reports give positions',
          page: 'https://www.spc.noaa.gov/wcm/data/SPC_severe_database_description.pdf',
        },
      ],
      kind: 'vector',
      geometry: 'line',
      joinKey: 'om',
      partition: 'national',
      columns: {
        om: { type: 'string' },
        yr: { type: 'integer' },
      },
    },
    hail: {
      title: 'hail reports',
      assessed: [
        {
          figure: 0.01,
          unit: 'degrees',
          means: 'is the step in which older reports give positions',
          page: 'https://www.spc.noaa.gov/wcm/data/SPC_severe_database_description.pdf',
        },
      ],
      kind: 'vector',
      geometry: 'point',
      joinKey: 'om',
      partition: 'national',
      columns: {
        om: { type: 'string' },
        yr: { type: 'integer' },
        mag: { type: 'number', unit: 'in', description: 'Diameter.' },
      },
    },
  },
  fields: {
    tornado_track_count_within_40km: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'Tornado track count within 40 km',
      description: 'Number of tornado tracks passing within 40 km since 1950.',
      expression: 'count_within(noaa_spc:tornado, radius_m=40000)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { data_center_siting: 39, natural_hazard: 7 },
      terms: phrases(`
        tornado, twister, how many tornadoes, tornado history, tornados, tornadoes, number of tornadoes,
        tornadoes touched down, twisters come through, funnel cloud, funnel clouds, twisters, tornadoes hit,
        tornado paths, past tornadoes, tornado tracks, tornado hit, count of tornadoes
      `),
      hint: 'Divide by the years on record for a rough yearly rate; early decades miss weak ones.',
    },
    hail_report_count_within_40km: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'Hail report count within 40 km',
      description: 'Number of hail reports of 1 inch or more within 40 km since 1955.',
      expression: 'count_within(noaa_spc:hail, radius_m=40000, where[mag >= 1])',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 9 },
      terms: phrases(`
        hail, hailstorm, how often does it hail, roof damage from hail, granizo, hail reports, number of hailstorms,
        hailstorms, hails, hailed, hail often, number of hail reports, hail events, hail history, hail damage to cars,
        times has it hailed, times hail
      `),
      hint: 'Drives roof and panel deductibles; rural storms go unseen, so compare only with similar places.',
    },
    hail_max_size_in_within_40km: {
      layer: 'hazards',
      type: 'number',
      unit: 'in',
      title: 'Largest hail within 40 km',
      description: 'Largest hail reported within 40 km since 1955.',
      expression: 'agg_within(noaa_spc:hail, mag, agg=max, radius_m=40000)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { solar_siting: 45, natural_hazard: 22 },
      terms: phrases(`
        biggest hail, size of hail, golf ball hail, largest hailstone, largest hail, hail size, biggest hailstone,
        hailstone on record, hailstone, ice balls, balls of ice, hailstones, hail stones, hailstone size,
        softball hail, baseball hail, big does hail get, how big is hail, hail get how big, size of hailstones,
        baseballs, golf balls, golf ball, how big does the hail get, record hail
      `),
      hint: 'Above 1.75 inches ordinary shingles and standard solar glass are at risk; specify tested products.',
      verdict: {
        yes: { from: 1.75 },
        matter: 'hail has been large enough to break roofs',
        words: {
          yes: 'The largest hail on record within 40 km is {value}, large enough to break shingles',
          no: 'The largest hail on record within 40 km is {value}',
        },
        settledBy: 'a roof inspection',
      },
    },
  },
});
