import type { Layer } from '../dataset.ts';

/** The layers of SSURGO that Plat reads, named as its tables. */
export const SSURGO_LAYERS = {
  mapunit: {
    title: 'soil map units',
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: 12,
    accuracyIn: 'NRCS, metadata of SSURGO: mapped at 1:12,000 to 1:24,000 (NMAS: 0.02 inch at the smaller)',
    joinKey: 'mukey',
    partition: 'state',
    columns: {
      mukey: { type: 'string' },
      musym: { type: 'string' },
      muname: { type: 'string' },
      farmlndcl: { type: 'string' },
    },
  },
  muaggatt: {
    title: 'soil map unit attributes',
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: 12,
    accuracyIn: 'NRCS, metadata of SSURGO: mapped at 1:12,000 to 1:24,000 (NMAS: 0.02 inch at the smaller)',
    joinKey: 'mukey',
    partition: 'state',
    columns: {
      mukey: { type: 'string' },
      hydgrpdcd: { type: 'string', values: ['A', 'B', 'C', 'D', 'A/D', 'B/D', 'C/D'] },
      drclassdcd: {
        type: 'string',
        values: [
          'Excessively drained',
          'Somewhat excessively drained',
          'Well drained',
          'Moderately well drained',
          'Somewhat poorly drained',
          'Poorly drained',
          'Very poorly drained',
          'Subaqueous',
        ],
      },
      brockdepmin: { type: 'number', unit: 'cm' },
      wtdepannmin: { type: 'number', unit: 'cm' },
      flodfreqdcd: {
        type: 'string',
        values: ['None', 'Very rare', 'Rare', 'Occasional', 'Frequent', 'Very frequent'],
      },
      engstafdcd: { type: 'string' },
    },
  },
  component: {
    title: 'soil components',
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: 12,
    accuracyIn: 'NRCS, metadata of SSURGO: mapped at 1:12,000 to 1:24,000 (NMAS: 0.02 inch at the smaller)',
    joinKey: 'mukey',
    partition: 'state',
    columns: {
      mukey: { type: 'string' },
      cokey: { type: 'string' },
      comppct_r: { type: 'number', unit: 'percent' },
      corsteel: { type: 'string', values: ['Low', 'Moderate', 'High'] },
      corcon: { type: 'string', values: ['Low', 'Moderate', 'High'] },
    },
  },
  chorizon: {
    title: 'soil horizons',
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: 12,
    accuracyIn: 'NRCS, metadata of SSURGO: mapped at 1:12,000 to 1:24,000 (NMAS: 0.02 inch at the smaller)',
    joinKey: 'mukey',
    partition: 'state',
    columns: {
      mukey: { type: 'string' },
      cokey: { type: 'string' },
      lep_r: {
        type: 'number',
        unit: 'percent',
        description: 'Thickness-weighted over 0 to 100 cm of the largest component.',
      },
    },
  },
} as const satisfies Readonly<Record<string, Layer>>;
