import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'usda_phzm',
  title: 'Plant Hardiness Zone Map 2023',
  publisher: 'USDA ARS and Oregon State University PRISM',
  url: 'https://prism.oregonstate.edu/phzm/',
  format: 'shp zip',
  licence: 'free with attribution',
  cadence: 'decadal',
  vintageRule: 'Year of the map (2023, from 1991 to 2020 winters).',
  notes: 'Column zone such as 7b.',
  layers: {
    main: {
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      partition: 'national',
      columns: {
        zone: { type: 'string', description: 'Such as 7b.' },
        trange: { type: 'string', description: 'Mean annual extreme minimum, in degrees Fahrenheit.' },
      },
    },
  },
  fields: {
    plant_hardiness_zone: {
      layer: 'climate',
      type: 'string',
      title: 'Plant hardiness zone',
      description: 'USDA plant hardiness zone, such as 7b.',
      expression: 'polygon_attr(usda_phzm, zone)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      hint: 'Choose perennials for it and think of pipe depth; it speaks of the coldest night of a year, not of summer.',
    },
  },
});
