import { defineDataset } from '../dataset.ts';

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
  layers: {
    main: {
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
      hint: 'Within about a mile lenders ask for a Phase I assessment; the plume can reach past the single point.',
    },
    nearest_superfund_site_name: {
      layer: 'hazards',
      type: 'string',
      title: 'Nearest Superfund site name',
      description: 'Name of the nearest final or proposed National Priorities List site.',
      expression: "nearest_attr(epa_npl, SITE_NAME, max_km=200, where[NPL_STATUS_CODE in ('F','P')])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      hint: "Open EPA's site profile under it for contaminants, controls and the cleanup stage.",
    },
  },
});
