import { defineDataset } from '../dataset.ts';

/** NREL publishes latitude tilt as us9809_latilt (https://www.nrel.gov/gis/solar-resource-maps.html): the layer latilt here. */
export default defineDataset({
  id: 'nrel_nsrdb',
  title: 'National Solar Radiation Database multi-year mean rasters',
  publisher: 'NREL',
  url: 'https://www.nrel.gov/gis/solar-resource-maps.html',
  format: 'geotiff',
  licence: 'US public domain with attribution',
  cadence: 'rare',
  vintageRule: 'Years averaged, as named in the archive (1998 to 2016 for the current maps).',
  notes: 'Layers ghi, dni, latitude tilt in kWh/m2/day. Latitude tilt is of 1998 to 2009 and 10 km cells.',
  unconfirmed:
    'A GeoTIFF of latitude tilt: the archive at hand names a shapefile of cells, which gdal_rasterize turns into one.',
  layers: {
    ghi: { kind: 'raster', bands: 1, unit: 'kWh/m2/day', sampling: 'nearest', partition: 'national' },
    latilt: { kind: 'raster', bands: 1, unit: 'kWh/m2/day', sampling: 'nearest', partition: 'national' },
    dni: { kind: 'raster', bands: 1, unit: 'kWh/m2/day', sampling: 'nearest', partition: 'national' },
  },
  fields: {
    solar_ghi_kwh_per_m2_day: {
      layer: 'climate',
      type: 'number',
      unit: 'kWh/m2/day',
      title: 'Solar GHI',
      description: 'Long-term mean global horizontal irradiance.',
      expression: 'raster_sample(nrel_nsrdb:ghi, 1)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { solar_siting: 1 },
      hint: 'The energy input for flat or tracked panels: under 4 is marginal, above 5.5 excellent; cells are 4 km wide.',
    },
    solar_dni_kwh_per_m2_day: {
      layer: 'climate',
      type: 'number',
      unit: 'kWh/m2/day',
      title: 'Solar DNI',
      description: 'Long-term mean direct normal irradiance.',
      expression: 'raster_sample(nrel_nsrdb:dni, 1)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { solar_siting: 2 },
      hint: 'Concentrating plants want 6 or more; a large gap to global irradiance tells of haze or cloud.',
    },
    solar_latitude_tilt_kwh_per_m2_day: {
      layer: 'climate',
      type: 'number',
      unit: 'kWh/m2/day',
      title: 'Solar irradiance at latitude tilt',
      description: 'Long-term mean irradiance on a south-facing surface tilted at latitude.',
      expression: 'raster_sample(nrel_nsrdb:latilt, 1)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { solar_siting: 16 },
      hint: 'Multiply by 365, by the array in kW and by about 0.8 for a first yield in kWh a year of fixed panels.',
    },
  },
});
