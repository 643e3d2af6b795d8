/** What people call what costs credits, by the paths under which usage is filed. */
const WORDS: Readonly<Record<string, string>> = {
  'POST /v1/fetch': 'Values of a place',
  'POST /v1/fetch/batch': 'Values of many places',
  'POST /v1/runs': 'Runs',
  'POST /v1/geocode': 'Addresses found',
  'POST /v1/lookup': 'What an address may mean',
  'POST /v1/ask': 'Questions',
  'POST /v1/ask/stream': 'Questions',
  'POST /v1/ask-site': 'Questions about sites',
  'POST /v1/sites': 'Sites screened',
  'POST /v1/proximity': 'Driving distances',
  'POST /v1/proximity/isochrone': 'Drive times',
  'POST /v1/areas': 'Drive times as areas',
  'POST /v1/exports': 'Files of many parcels or places',
  'POST /v1/buildable': 'Buildable ground',
};

/** What people call an endpoint: the last part of its path where it has no words yet. Pure. */
export const endpointWords = (endpoint: string): string =>
  WORDS[endpoint] ??
  (endpoint.split('/').findLast(part => part !== '' && !/[{}:]/.test(part)) ?? '')
    .replace(/^./, letter => letter.toUpperCase())
    .replaceAll('-', ' ');
