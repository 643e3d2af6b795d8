import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usda_cdl',
  title: 'Cropland Data Layer',
  publisher: 'USDA NASS',
  url: 'https://www.nass.usda.gov/Research_and_Science/Cropland/Release/datasets/{year}_30m_cdls.zip',
  format: 'geotiff',
  licence: 'US public domain',
  cadence: 'annual (February)',
  vintageRule: 'Season year, as named in the archive.',
  notes: 'CONUS only; absent elsewhere. Codes 0 (background) and 81 (clouds) are no data.',
  acquire: {
    files: [
      {
        url: 'https://www.nass.usda.gov/Research_and_Science/Cropland/Release/datasets/{year}_30m_cdls.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'public code',
        form: { ending: '.tif.zip' },
      },
    ],
  },
  layers: {
    main: {
      title: 'crops',
      assessed: [
        {
          figure: 81.6,
          unit: '%',
          means: 'of pixels of crops have the crop that was reported there: all crops of the 2023 edition',
          page: 'https://maris.mississippi.edu/MARISdata/Aerial/NASS/nass_ms_2023/metadata_Cropland-Data-Layer-2023.htm',
        },
      ],
      kind: 'raster',
      bands: 1,
      nodata: [0, 81],
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    crop_type: {
      layer: 'land_cover',
      type: 'string',
      title: 'Crop type',
      description: 'Cropland Data Layer class at the point for the latest season.',
      expression: 'raster_sample(usda_cdl, 1, map=cdl_classes)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { land_cover: 10, solar_siting: 31 },
      terms: phrases(`
        what is grown here, what crop, corn or soybeans, crop planted, cultivo, farm field crop, crop,
        planted in corn, what grows in the field, crop map, cdl, corn or hay, what does the farmer grow, siembra,
        orchard or vineyard, qué sembraron, wheat, growing in the field, what was planted, last planted, beans,
        farmed for, crops grown, crops planted, corn, soybeans, cotton, alfalfa, rice, vineyard
      `),
      hint: 'A satellite guess for one season: rotate through several years before calling land corn ground or fallow.',
    },
  },
});
