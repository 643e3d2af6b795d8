import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * Names and status stand in the shapefile in newer files (area_name, current_status, cut by the format to current_st) and
 * as area_name and NAAStatus in the external data file joined by composid: EPA, "Additional Green Book GIS Download
 * Information", https://www.epa.gov/green-book/additional-green-book-gis-download-information.
 */
const NONATTAINMENT = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: null,
  partition: 'national',
  columns: {
    area_name: { type: 'string', aliases: ['AREA_NAME'] },
    current_status: {
      type: 'string',
      description: 'Nonattainment, or Maintenance once the area was redesignated.',
      aliases: ['CURRENT_STATUS', 'current_st', 'CURRENT_ST', 'NAAStatus'],
    },
  },
} as const;
export default defineDataset({
  id: 'epa_greenbook',
  title: 'Green Book nonattainment areas',
  publisher: 'US EPA',
  url: 'https://www.epa.gov/green-book/green-book-gis-download',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'monthly to yearly',
  vintageRule: 'Date of the Green Book extract.',
  notes: 'Layers ozone_8hr_2015, pm25_annual (1997, 2012 and later annual standards merged on load).',
  unconfirmed:
    'The status column of the shapefiles, and whether older ones have one at all; the external data file joined by composid has it.',
  acquire: {
    files: [
      {
        layers: ['ozone_8hr_2015'],
        url: 'https://www3.epa.gov/airquality/greenbook/shapefile/ozone_8hr_2015std_naa_shapefile.zip',
        seen: 'public code',
      },
      {
        layers: ['pm25_annual'],
        url: 'https://www3.epa.gov/airquality/greenbook/shapefile/pm25_{standard}std_naa_shapefile.zip',
        seen: 'public code',
      },
    ],
  },
  layers: {
    ozone_8hr_2015: { title: 'ozone nonattainment areas', ...NONATTAINMENT },
    pm25_annual: { title: 'fine particle nonattainment areas', ...NONATTAINMENT },
  },
  fields: {
    within_ozone_nonattainment_area: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Within ozone nonattainment area',
      description: 'Whether the point falls in a nonattainment area for the 2015 eight-hour ozone standard.',
      expression: "polygon_within(epa_greenbook:ozone_8hr_2015, where[current_status = 'Nonattainment'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 43, data_center_siting: 42 },
      terms: phrases(`
        smog, ozone, air quality, bad air, nonattainment, calidad del aire, ozone nonattainment, asthma,
        bad for ozone, air pollution from ozone, ozone standard, asthmatic, clean air, breathe, bad air quality,
        polluted air, good air, breathing, air alert, ozone days, emphysema, fresh air, ozone area, asma, air safe
      `),
      hint: 'True brings new source review with emission offsets and stricter limits for generators; check the class of the area.',
      verdict: {
        yes: true,
        matter: 'the ozone standard is missed',
        words: {
          yes: 'The place is inside an ozone nonattainment area, where new sources need offsets',
          no: 'The place is outside the ozone nonattainment areas',
        },
        settledBy: 'the state air agency',
      },
    },
    within_pm25_nonattainment_area: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Within PM2.5 nonattainment area',
      description: 'Whether the point falls in a nonattainment area for an annual fine particle standard.',
      expression: "polygon_within(epa_greenbook:pm25_annual, where[current_status = 'Nonattainment'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { data_center_siting: 43 },
      terms: phrases(`
        particulate, soot, fine particles, air pollution, pm2.5, smoke, particles, fine particle nonattainment,
        particulates, dust in the air, pm 2.5, lungs, partículas, air quality, asthma, asthmatic, dusty air, hollín,
        clean air, breathe, fine particle, fine dust, particle pollution, pm25, wood smoke, smoky, haze,
        smoke in the air, sooty, breathing trouble
      `),
      hint: 'Combustion, crushing and heavy truck traffic need offsets or best controls here; budget months for the permit.',
      verdict: {
        yes: true,
        matter: 'the standard for fine particles is missed',
        words: {
          yes: 'The place is inside a nonattainment area for fine particles, where new sources need offsets',
          no: 'The place is outside the nonattainment areas for fine particles',
        },
        settledBy: 'the state air agency',
      },
    },
  },
});
