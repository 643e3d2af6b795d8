import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'nrel_wtk',
  title: 'Wind resource mean speed rasters (WIND Toolkit)',
  publisher: 'NREL',
  url: 'https://www.nrel.gov/gis/wind-resource-maps.html',
  format: 'geotiff',
  licence: 'US public domain with attribution',
  cadence: 'rare',
  vintageRule: 'Years averaged, as named in the archive (2007 to 2013).',
  notes: 'Layers wind_speed_80m, wind_speed_100m, wind_speed_140m; CONUS with separate AK, HI, PR sets.',
  acquire: {
    files: [
      {
        url: 'https://www.nlr.gov/docs/libraries/gis/us-wind-data.zip',
        note: 'wtk_conus_{h}m_mean_masked.tif for 80, 100 and 140 m: m/s, 0 is no data. Lambert conformal conic on NAD83, though its metadata says 4326, and stored south up.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    wind_speed_80m: {
      title: 'wind speed at 80 m',
      assessed: [
        {
          figure: 0.5,
          unit: 'm/s',
          means:
            'is what average bias at towers and sodars keeps within, found at the lower hub heights of small turbines',
          page: 'https://doi.org/10.5194/wes-7-659-2022',
        },
      ],
      kind: 'raster',
      bands: 1,
      unit: 'm/s',
      sampling: 'nearest',
      partition: 'national',
    },
    wind_speed_100m: {
      title: 'wind speed at 100 m',
      kind: 'raster',
      bands: 1,
      unit: 'm/s',
      sampling: 'nearest',
      partition: 'national',
    },
    wind_speed_140m: {
      title: 'wind speed at 140 m',
      kind: 'raster',
      bands: 1,
      unit: 'm/s',
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    wind_speed_80m_m_per_s: {
      layer: 'climate',
      type: 'number',
      unit: 'm/s',
      title: 'Wind speed 80 m',
      description: 'Long-term mean wind speed at 80 m above ground.',
      expression: 'raster_sample(nrel_wtk:wind_speed_80m, 1)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wind_siting: 2 },
      terms: phrases(`
        wind, how windy, wind speed, wind resource, hub height 80 meters, viento, windy, wind at 80 meters, gusty,
        velocidad del viento, breezy, wind blow, how hard does the wind blow, breeze, winds, wind strong, windiness,
        breezes, wind strength, average wind, strong is the wind, ventoso, wind turbine for the house,
        small wind turbine
      `),
      hint: 'Hub height of older turbines; repowering studies start here, new projects at 100 m and above.',
    },
    wind_speed_100m_m_per_s: {
      layer: 'climate',
      type: 'number',
      unit: 'm/s',
      title: 'Wind speed 100 m',
      description: 'Long-term mean wind speed at 100 m above ground.',
      expression: 'raster_sample(nrel_wtk:wind_speed_100m, 1)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wind_siting: 1 },
      terms: phrases(`
        wind at 100 meters, wind resource for turbines, how windy at hub height, wind farm potential, viento,
        wind at hub height, 100 meters wind, windy at a hundred meters, wind resource, wind at 100 m,
        wind for turbines, 100 m wind, wind at 100, wind resource at hub height, good for a wind farm, wind project
      `),
      hint: 'Below 6.5 utility projects rarely pay, above 8 they usually do; energy grows with the cube of it.',
      verdict: {
        yes: { from: 6.5 },
        margin: 0.2,
        matter: 'wind pays for a utility project',
        words: {
          yes: 'The wind is strong enough for a utility project: {value} at 100 m',
          no: 'The wind is weak for a utility project: {value} at 100 m',
        },
        settledBy: 'a year of measurements on a mast',
      },
    },
    wind_speed_140m_m_per_s: {
      layer: 'climate',
      type: 'number',
      unit: 'm/s',
      title: 'Wind speed 140 m',
      description: 'Long-term mean wind speed at 140 m above ground.',
      expression: 'raster_sample(nrel_wtk:wind_speed_140m, 1)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wind_siting: 3 },
      terms: phrases(`
        wind at 140 meters, high hub height wind, modern turbine wind, wind at 140 m, 140 meters wind, tall turbines,
        taller towers, wind at 140, 140 m, tall tower wind, taller hub
      `),
      hint: 'For tall towers of the current generation; check crane access and aviation limits before counting on the gain.',
    },
    wind_shear_exponent: {
      layer: 'climate',
      type: 'number',
      title: 'Wind shear exponent',
      description: 'Power-law wind shear exponent between 80 m and 140 m.',
      expression: 'derived(expr[ln(v2 / v1) / ln(140 / 80)], v2=@wind_speed_140m_m_per_s, v1=@wind_speed_80m_m_per_s)',
      confidence: 'min_inputs',
      // Of speeds told to 0.01 m/s.
      precision: 0.01,
      ttlSeconds: 31_536_000,
      presets: { wind_siting: 4 },
      terms: phrases(`
        wind shear, how wind grows with height, wind profile, shear, shear exponent, shear between 80 and 140,
        shear of the wind, wind gain with height, wind stronger higher up, wind increase with height, alpha, power law
      `),
      hint: 'About 0.14 over open ground; above 0.25 (woods, hills) taller towers earn their cost but blades tire sooner.',
    },
  },
});
