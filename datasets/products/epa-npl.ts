import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'epa_npl',
  title: 'Superfund National Priorities List sites',
  publisher: 'US EPA',
  url: 'https://www.epa.gov/superfund/superfund-data-and-reports',
  format: 'geojson',
  licence: 'US public domain',
  cadence: 'monthly',
  vintageRule: 'Publication date of the site list.',
  notes: 'Final and proposed sites only. Each site is one point, often far from the edge of the contamination.',
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://services.arcgis.com/cJ9YHowT8TU7DUyn/arcgis/rest/services/Superfund_National_Priorities_List_%28NPL%29_Sites_with_Status_Information/FeatureServer/0',
        ground: 200,
        note: 'The status is in words (NPL Site, Proposed NPL Site, …): a place file maps it to F and P. State is in full, County not to be trusted.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'Superfund sites',
      assessed: [
        {
          figure: 25,
          unit: 'm',
          means: 'is the accuracy that the agency asks of coordinates of facilities and sites, a goal and no finding',
          page: 'https://nepis.epa.gov/Exe/ZyPURL.cgi?Dockey=94006NLJ.txt',
        },
      ],
      kind: 'vector',
      geometry: 'point',
      joinKey: 'SITE_EPA_ID',
      partition: 'national',
      columns: {
        SITE_EPA_ID: { type: 'string' },
        SITE_NAME: { type: 'string' },
        NPL_STATUS_CODE: { type: 'string', description: 'F final, P proposed.' },
      },
    },
  },
  fields: {
    nearest_superfund_site_distance_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest Superfund site',
      description: 'Distance to the nearest final or proposed National Priorities List site.',
      expression: "nearest_distance(epa_npl, max_km=200, where[NPL_STATUS_CODE in ('F','P')])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { site_selection: 42 },
      terms: phrases(`
        superfund, toxic waste site, contaminated site, hazardous waste, how far is superfund, contaminación,
        superfund site, npl site, epa cleanup site, toxic waste, toxic dump, contamination, hazardous waste nearby,
        cleanup site, national priorities list, desechos tóxicos, toxic cleanup, chemical dump, cleanup place, toxic,
        toxic site, toxic sites, poison, poisoned, superfund sites, epa site, epa cleanup, hazardous, hazardous site,
        toxic dumping
      `),
      hint: 'Within about a mile lenders ask for an environmental assessment; the plume can reach past the single point.',
      verdict: {
        yes: { under: 1609.344 },
        margin: 50,
        matter: 'a Superfund site is near',
        words: {
          yes: 'The nearest Superfund site is {value} away, near enough for an environmental assessment',
          no: 'The nearest Superfund site is {value} away',
        },
        settledBy: 'an environmental assessment',
      },
    },
    nearest_superfund_site_name: {
      layer: 'hazards',
      type: 'string',
      title: 'Nearest Superfund site name',
      description: 'Name of the nearest final or proposed National Priorities List site.',
      expression: "nearest_attr(epa_npl, SITE_NAME, max_km=200, where[NPL_STATUS_CODE in ('F','P')])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      terms: phrases(`
        which superfund site, name of the toxic site, name of the npl site, superfund site called,
        cleanup site called, superfund called, superfund name, name of the superfund site, name of the cleanup site,
        which toxic site, what superfund site
      `),
      hint: "Open EPA's site profile under it for contaminants, controls and the cleanup stage.",
    },
    superfund_site_count_within_5km: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'Superfund site count within 5 km',
      description: 'Number of final or proposed National Priorities List sites within 5 km.',
      expression: "count_within(epa_npl, radius_m=5000, where[NPL_STATUS_CODE in ('F','P')])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      terms: phrases(`
        how many superfund sites, toxic sites nearby, contaminated sites around, npl sites, number of superfund sites,
        superfund sites around, how many toxic sites, superfund sites nearby, number of toxic sites,
        count of superfund
      `),
      hint: 'One or more makes environmental due diligence the first task; the count ignores state-led cleanups.',
    },
  },
});
