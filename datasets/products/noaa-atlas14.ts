import { type Assessment, defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/** What NOAA says of all its estimates (Atlas 14, Estimation of confidence limits). */
const BOUNDS: readonly Assessment[] = [
  {
    figure: 90,
    unit: '%',
    means:
      'is the confidence of the lower and upper bounds that are published beside each estimate in grids of their own, which are not held here; they leave out the choice of distribution and a changing climate',
    page: 'https://www.weather.gov/owp/hdsc',
  },
];

export default defineDataset({
  id: 'noaa_atlas14',
  title: 'Precipitation frequency grids (Atlas 14 and regional successors)',
  publisher: 'NOAA National Weather Service',
  url: 'https://hdsc.nws.noaa.gov/pfds/pfds_gis.html',
  format: 'ascii grid zip',
  licence: 'US public domain',
  cadence: 'rare (Atlas 15 from 2026)',
  vintageRule: 'Volume and version of each grid.',
  notes:
    'Layers named return-period, duration, a: 2yr24ha, 10yr24ha, 100yr24ha, 100yr60ma. Values are thousandths of an inch. Volume 12 (2024) added ID, MT and WY; only WA and OR remain on Atlas 2, whose grids exist for some periods only and in another unit, converted on load; otherwise absent.',
  acquire: {
    files: [
      {
        layers: ['2yr24ha'],
        url: 'https://hdsc.nws.noaa.gov/pub/hdsc/data/{volume}/{volume}2yr24ha.zip',
        note: 'Volumes: sw, orb, pr, hi, ak, mw, se, ne, tx, inw; none covers Oregon and Washington. Inches times 1,000, -9 is missing.',
        seen: 'public code',
      },
      {
        layers: ['10yr24ha'],
        url: 'https://hdsc.nws.noaa.gov/pub/hdsc/data/{volume}/{volume}10yr24ha.zip',
        seen: 'public code',
      },
      {
        layers: ['100yr24ha'],
        url: 'https://hdsc.nws.noaa.gov/pub/hdsc/data/{volume}/{volume}100yr24ha.zip',
        seen: 'public code',
      },
      {
        layers: ['100yr60ma'],
        url: 'https://hdsc.nws.noaa.gov/pub/hdsc/data/{volume}/{volume}100yr60ma.zip',
        seen: 'public code',
      },
    ],
  },
  layers: {
    '2yr24ha': {
      title: '24 hour rainfall of 2 years',
      assessed: BOUNDS,
      kind: 'raster',
      bands: 1,
      unit: '0.001 in',
      sampling: 'nearest',
      partition: 'national',
    },
    '10yr24ha': {
      title: '24 hour rainfall of 10 years',
      assessed: BOUNDS,
      kind: 'raster',
      bands: 1,
      unit: '0.001 in',
      sampling: 'nearest',
      partition: 'national',
    },
    '100yr24ha': {
      title: '24 hour rainfall of 100 years',
      assessed: BOUNDS,
      kind: 'raster',
      bands: 1,
      unit: '0.001 in',
      sampling: 'nearest',
      partition: 'national',
    },
    '100yr60ma': {
      title: '60 minute rainfall of 100 years',
      assessed: BOUNDS,
      kind: 'raster',
      bands: 1,
      unit: '0.001 in',
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    rainfall_2yr_24hr_mm: {
      layer: 'climate',
      type: 'number',
      unit: 'mm',
      title: 'Rainfall 2-year 24-hour',
      description: 'Rainfall depth of the 2-year, 24-hour storm.',
      expression: 'raster_sample(noaa_atlas14:2yr24ha, 1, scale=0.0254)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { flood_risk: 38 },
      terms: phrases(`
        two-year storm, ordinary big rain, small design storm, 2 year rain, 2-year storm, 2 year 24 hour,
        two-year rain, 2-yr storm, 2 yr 24 hr, two year storm, 2yr
      `),
      hint: 'Sizes water-quality basins and erosion controls, which many codes tie to this frequent storm.',
    },
    rainfall_10yr_24hr_mm: {
      layer: 'climate',
      type: 'number',
      unit: 'mm',
      title: 'Rainfall 10-year 24-hour',
      description: 'Rainfall depth of the 10-year, 24-hour storm.',
      expression: 'raster_sample(noaa_atlas14:10yr24ha, 1, scale=0.0254)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { flood_risk: 39 },
      terms: phrases(`
        ten-year storm, 10 year rain, storm drain design, design storm, 10-year storm, 10 year 24 hour, ten-year rain,
        10-yr storm, 10 yr 24 hr, ten year storm, 10yr, culvert, storm sewer, gutter size
      `),
      hint: 'Street drains and driveway culverts are commonly designed to carry it without ponding.',
    },
    rainfall_100yr_24hr_mm: {
      layer: 'climate',
      type: 'number',
      unit: 'mm',
      title: 'Rainfall 100-year 24-hour',
      description: 'Rainfall depth of the 100-year, 24-hour storm.',
      expression: 'raster_sample(noaa_atlas14:100yr24ha, 1, scale=0.0254)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { flood_risk: 15 },
      terms: phrases(`
        hundred-year storm, 100 year rain, extreme rain, heavy rain, stormwater design, cloudburst in a day,
        100-year storm, 100 year 24 hour, design storm depth, worst rain in a day, atlas 14, downpour, 100-yr storm,
        100 yr 24 hr, hundred year storm, 100yr, storm rainfall, biggest rain, most rain in a day, rain in a day,
        rain in 24 hours, torrential, deluge, rainfall depth, detention pond, retention pond, rainstorm,
        big storm rain, extreme rainfall
      `),
      hint: 'Detention ponds and finished floors are checked against it; add a margin, because it rests on past decades.',
    },
    rainfall_100yr_1hr_mm: {
      layer: 'climate',
      type: 'number',
      unit: 'mm',
      title: 'Rainfall 100-year 1-hour',
      description: 'Rainfall depth of the 100-year, 1-hour storm.',
      expression: 'raster_sample(noaa_atlas14:100yr60ma, 1, scale=0.0254)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { flood_risk: 40 },
      terms: phrases(`
        cloudburst, hundred-year hour, extreme downpour, heaviest hour of rain, flash flood rain, 100 year 1 hour,
        rain in one hour, worst hour of rain, one hour storm, rain in an hour, intense rain, rain intensity,
        rainfall intensity, heaviest hour, heaviest downpour, cloudburst rain
      `),
      hint: 'Governs roof drains and small paved catchments, where a cloudburst does more harm than a long day of rain.',
    },
  },
});
