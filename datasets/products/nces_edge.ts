import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'nces_edge',
  title: 'EDGE school locations',
  publisher: 'National Center for Education Statistics',
  url: 'https://nces.ed.gov/programs/edge/Geographic/SchoolLocations',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'School year in the file name.',
  notes: 'public_schools is the only layer read so far; postsecondary follows.',
  layers: {
    public_schools: {
      kind: 'vector',
      geometry: 'point',
      joinKey: 'NCESSCH',
      partition: 'national',
      columns: {
        NCESSCH: { type: 'string' },
        NAME: { type: 'string' },
      },
    },
  },
  fields: {
    nearest_public_school_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest public school',
      description: 'Distance to the nearest public school.',
      expression: 'nearest_distance(nces_edge:public_schools, max_km=200)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 5, storage_siting: 46 },
      hint: 'Triggers drug-free, alcohol-licence and cannabis buffers of about 150 to 300 metres; says nothing on attendance zones.',
    },
    nearest_public_school_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest public school name',
      description: 'Name of the nearest public school.',
      expression: 'nearest_attr(nces_edge:public_schools, NAME, max_km=200)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 6 },
      hint: 'Nearest does not mean assigned: ask the district which school serves the address.',
    },
  },
});
