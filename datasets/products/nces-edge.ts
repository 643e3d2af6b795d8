import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'nces_edge',
  title: 'EDGE school locations',
  publisher: 'National Center for Education Statistics',
  url: 'https://nces.ed.gov/programs/edge/Geographic/SchoolLocations',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'School year in the file name.',
  notes: 'Layers public_schools, postsecondary.',
  acquire: {
    files: [
      {
        layers: ['public_schools'],
        url: 'https://nces.ed.gov/programs/edge/data/EDGE_GEOCODE_PUBLICSCH_{yy-1}{yy}.zip',
        vintage: { newest: 'year', back: 4 },
        form: { ending: '.shp.zip' },
        seen: 'public code',
      },
      {
        layers: ['postsecondary'],
        url: 'https://nces.ed.gov/programs/edge/data/EDGE_GEOCODE_POSTSECSCH_{yy-1}{yy}.zip',
        vintage: { newest: 'year', back: 4 },
        seen: 'public code',
      },
    ],
  },
  layers: {
    public_schools: {
      title: 'public schools',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'NCESSCH',
      partition: 'national',
      columns: {
        NCESSCH: { type: 'string' },
        NAME: { type: 'string' },
      },
    },
    postsecondary: {
      title: 'colleges and universities',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'UNITID',
      partition: 'national',
      columns: {
        UNITID: { type: 'string' },
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
      terms: phrases(`
        school, how far is the school, elementary school nearby, kids walk to school, escuela, nearest school,
        public school, elementary, middle school, high school, walk to school, school bus, kids in school,
        distancia a la escuela, colegio, grade school, kindergarten, grade-schoolers, schools, kids school,
        elementary school, walk to class, children walk, schoolhouse, children go to school, kids walk,
        kids get to school, schools nearby, walking distance to school, junior high
      `),
      hint: 'Triggers drug-free, alcohol-license and cannabis buffers of about 150 to 300 meters; says nothing on attendance zones.',
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
      terms: phrases(`
        which school, name of the closest school, what school is near, school called, nombre de la escuela,
        school would my kids go to, elementary called, elementary school called, which elementary school,
        name of the school, school name, which high school, nearest school called
      `),
      hint: 'Nearest does not mean assigned: ask the district which school serves the address.',
    },
    nearest_college_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest college',
      description: 'Distance to the nearest postsecondary institution.',
      expression: 'nearest_distance(nces_edge:postsecondary, max_km=300)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 17 },
      terms: phrases(`
        college, university, community college, campus, universidad, nearest college, higher education,
        students nearby, tech school, college town, night classes, colleges, universities, university nearby,
        college nearby, degree, students, grad school, higher ed, rent to students, trade school, state university,
        student housing
      `),
      hint: 'Campus rental demand and a labor pool nearby; trade schools and beauty academies are in the register beside universities.',
    },
  },
});
