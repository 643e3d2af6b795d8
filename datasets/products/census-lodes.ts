import { LODES_SECTORS } from '../codes/lodes-sectors.ts';
import { type Column, defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/** Jobs by NAICS sector, CNS01 to CNS20. */
const sectors: Record<string, Column> = Object.fromEntries(
  Object.entries(LODES_SECTORS).map(([name, title]) => [
    name,
    { type: 'integer', unit: 'jobs', description: `Jobs in ${title.replaceAll('_', ' ')}.` },
  ]),
);

export default defineDataset({
  id: 'census_lodes',
  title: 'LEHD Origin-Destination Employment Statistics, workplace area characteristics',
  publisher: 'US Census Bureau',
  url: 'https://lehd.ces.census.gov/data/lodes/LODES8/{st}/wac/{st}_wac_S000_JT00_{year}.csv.gz',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'Year in the file name; the blocks are of 2020.',
  notes: 'Placed at block internal points.',
  acquire: {
    files: [
      {
        url: 'https://lehd.ces.census.gov/data/lodes/LODES8/{st}/wac/{st}_wac_S000_JT00_{year}.csv.gz',
        vintage: { newest: 'year', back: 11 },
        note: 'Without places: the crosswalk of the state has the internal point of each block.',
        form: {
          ending: '.csv.gz',
          columns: Object.fromEntries(['w_geocode', 'C000', ...Object.keys(LODES_SECTORS)].map(name => [name, name])),
          join: [
            {
              at: { url: 'https://lehd.ces.census.gov/data/lodes/LODES8/{st}/{st}_xwalk.csv.gz' },
              options: { x: 'blklondd', y: 'blklatdd', crs: 'EPSG:4269' },
              prefix: 'xwalk',
              key: 'tabblk2020',
              to: 'w_geocode',
              geometry: true,
              required: true,
            },
          ],
        },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'jobs by census block',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'w_geocode',
      partition: 'county',
      columns: {
        w_geocode: { type: 'string', description: 'Census block of the workplace.' },
        C000: { type: 'integer', unit: 'jobs', description: 'All jobs.' },
        ...sectors,
      },
    },
  },
  fields: {
    jobs_within_5km: {
      layer: 'parcels',
      type: 'integer',
      unit: 'jobs',
      title: 'Jobs within 5 km',
      description: 'Jobs located in census blocks whose internal point lies within 5 km.',
      expression: 'agg_within(census_lodes, C000, agg=sum, radius_m=5000)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 31 },
      terms: phrases(`
        jobs nearby, workers nearby, employment around, daytime population, office jobs near, jobs close by,
        workplaces nearby, jobs within 5 km, work nearby, commute, trabajos cercanos, jobs a short drive away,
        how many jobs are around, jobs nearby me, jobs close, near work, workplace, employers, employers nearby,
        workers in the area, office workers, work close by, employment center, places to work, commute to jobs,
        people work nearby, employment nearby
      `),
      hint: 'Counted where people work, not where they live; federal and self-employed posts are partly missing.',
    },
  },
});
