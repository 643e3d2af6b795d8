/** The groups of operations on the page of the API, in its order. */
export const TAGS = [
  { name: 'Data', description: 'Values at places.' },
  { name: 'Addresses', description: 'From an address to a place.' },
  { name: 'Parcels', description: 'All that is known of one parcel.' },
  { name: 'Parcel search', description: 'The parcels that pass filters.' },
  {
    name: 'Sets of parcels',
    description: 'How many parcels pass filters, which come first, and how they divide.',
  },
  { name: 'Questions', description: 'Plain language in, answers with citations out.' },
  { name: 'Runs', description: 'Batches that are answered in the background.' },
  { name: 'Exports', description: 'All parcels of a set, or every row of a file, as one table.' },
  { name: 'Sites', description: 'Polygons that are screened once and asked about later.' },
  { name: 'Watches', description: 'Being told when a publication changes an answer.' },
  { name: 'Field requests', description: 'Asking for a data point that the catalog lacks.' },
  { name: 'Corrections', description: 'Saying that a value is wrong, and what it is.' },
  { name: 'Catalog', description: 'What can be asked and what it costs.' },
  { name: 'OGC API', description: 'The layers as features and tiles of the OGC standards, for QGIS and GDAL.' },
  { name: 'Proximity', description: 'Drive times and what is near.' },
  { name: 'Account', description: 'API tokens, limits, credits used.' },
  { name: 'Onboarding', description: 'Setting an account up for an agent.' },
  { name: 'Service', description: 'Whether it runs.' },
] as const;
