/** What people call what costs credits, by the names under which usage is filed. */
const WORDS: Readonly<Record<string, string>> = {
  fetch: 'Values of a place',
  'fetch/batch': 'Values of many places',
  runs: 'Runs',
  exports: 'Files of many parcels or places',
  geocode: 'Addresses found',
  lookup: 'What an address may mean',
  ask: 'Questions',
  'ask-site': 'Questions about sites',
  sites: 'Sites screened',
  proximity: 'Driving',
  buildable: 'Buildable ground',
  'mcp/rest': 'Rest of long answers to agents',
};

/** What people call an endpoint; its own name with spaces where it has no words yet. Pure. */
export const endpointWords = (endpoint: string): string =>
  WORDS[endpoint] ?? endpoint.replace(/^./, letter => letter.toUpperCase()).replaceAll(/[-_/]/g, ' ');
