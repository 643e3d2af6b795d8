import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'koppen',
  title: 'Koppen-Geiger climate classification 1 km, 1991-2020',
  publisher: 'Beck and others, GloH2O',
  url: 'https://www.gloh2o.org/koppen/',
  format: 'geotiff',
  licence: 'CC BY 4.0',
  cadence: 'rare',
  vintageRule: 'Version and period of the map (1991 to 2020).',
  notes: 'Values 1 to 30 map to codes.',
  acquire: {
    files: [
      {
        url: 'https://ndownloader.figshare.com/files/45057352',
        note: 'A zip of 130,339,513 bytes; its raster is 1991_2020/koppen_geiger_0p00833333.tif.',
        seen: 'public code',
        form: { ending: '.tif.zip', options: { member: '1991_2020/koppen_geiger_0p00833333.tif' } },
      },
    ],
  },
  layers: {
    main: {
      title: 'climate classes',
      kind: 'raster',
      bands: 1,
      nodata: [0],
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    koppen_code: {
      layer: 'climate',
      type: 'string',
      title: 'Koppen-Geiger code',
      description: 'Koppen-Geiger climate code, such as Cfa.',
      expression: 'raster_sample(koppen, 1, map=koppen_codes)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        climate code, koppen code, climate classification code, cfa, dfb, koppen, köppen, köppen code,
        climate letters, koppen-geiger, climate zone code, climate symbol
      `),
      hint: 'First letter is the main climate, second the dry season, third the heat; use it to find comparable places abroad.',
    },
    koppen_class: {
      layer: 'climate',
      type: 'string',
      title: 'Koppen-Geiger class',
      description: 'Koppen-Geiger climate class description.',
      expression: 'raster_sample(koppen, 1, map=koppen_names)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        what kind of climate, climate type, humid subtropical, climate zone description, tipo de clima, climate,
        kind of climate, climate class, clima, what's the weather like, weather, mediterranean, tropical,
        desert climate, sort of climate, arid, type of climate, climate zone, temperate, continental climate,
        semi-arid, dry or humid
      `),
      hint: 'Put it in a report for readers without the letter code; near a class border both neighbors are fair descriptions.',
    },
  },
});
