import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'hifld_archive',
  title: 'HIFLD Open layers, archived copies',
  publisher: 'DHS (HIFLD), mirrored archives',
  url: 'https://www.datalumos.org (HIFLD Open archive)',
  format: 'geojson',
  licence: 'US public domain',
  cadence: 'frozen (HIFLD Open closed August 2025)',
  vintageRule: 'Archive date of the copy; the layers were frozen when HIFLD Open closed in August 2025.',
  notes: 'hospitals is the only layer read so far. Plan to replace layer by layer.',
  layers: {
    hospitals: {
      kind: 'vector',
      geometry: 'point',
      joinKey: 'ID',
      partition: 'national',
      columns: {
        ID: { type: 'string' },
        NAME: { type: 'string' },
        STATUS: { type: 'string' },
        BEDS: { type: 'integer', unit: 'count', description: '-999 means unknown.' },
        TRAUMA: { type: 'string' },
      },
    },
  },
  fields: {
    nearest_hospital_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest hospital',
      description: 'Distance to the nearest open hospital.',
      expression: "nearest_distance(hifld_archive:hospitals, max_km=300, where[STATUS = 'OPEN'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 3 },
      hint: 'Care and evacuation planning wants drive time; the list was frozen in 2025, so check for closures in rural counties.',
    },
    nearest_hospital_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest hospital name',
      description: 'Name of the nearest open hospital.',
      expression: "nearest_attr(hifld_archive:hospitals, NAME, max_km=300, where[STATUS = 'OPEN'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 4 },
      hint: 'Verify emergency-department and trauma level with the hospital: the register includes psychiatric and rehabilitation houses.',
    },
  },
});
