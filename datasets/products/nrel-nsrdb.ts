import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

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
  acquire: {
    files: [
      {
        layers: ['ghi'],
        url: 'https://www.nlr.gov/docs/libraries/gis/nsrdbv3_ghi.zip',
        note: 'Annual GHI/nsrdb3_ghi.tif, 4 km, mean of 1998 to 2016. The host nrel.gov ended on 2026-05-29.',
        seen: 'public code',
        form: { ending: '.tif.zip', options: { member: 'nsrdb3_ghi.tif' } },
      },
      {
        layers: ['dni'],
        url: 'https://www.nlr.gov/docs/libraries/gis/nsrdbv3_dni.zip',
        seen: 'public code',
        form: { ending: '.tif.zip', options: { member: 'nsrdb3_dni.tif' } },
      },
    ],
    byHand:
      'latilt: no program was seen to take it since the host nrel.gov ended; the map page of www.nlr.gov hands it over',
  },
  layers: {
    ghi: {
      title: 'global horizontal irradiance',
      assessed: [
        {
          figure: 5,
          unit: '%',
          means: 'is what mean bias at ground stations keeps within: PSM version 3, 1998 to 2016',
          page: 'https://doi.org/10.1016/j.rser.2018.03.003',
        },
      ],
      kind: 'raster',
      bands: 1,
      unit: 'kWh/m2/day',
      sampling: 'nearest',
      partition: 'national',
    },
    latilt: {
      title: 'irradiance at latitude tilt',
      kind: 'raster',
      bands: 1,
      unit: 'kWh/m2/day',
      sampling: 'nearest',
      partition: 'national',
    },
    dni: {
      title: 'direct normal irradiance',
      assessed: [
        {
          figure: 10,
          unit: '%',
          means: 'is what mean bias at ground stations keeps within: PSM version 3, 1998 to 2016',
          page: 'https://doi.org/10.1016/j.rser.2018.03.003',
        },
      ],
      kind: 'raster',
      bands: 1,
      unit: 'kWh/m2/day',
      sampling: 'nearest',
      partition: 'national',
    },
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
      terms: phrases(`
        sunshine, solar resource, how sunny, sun hours, solar radiation, irradiance, insolation, sol, ghi, sun,
        how much sun, sunny, global horizontal irradiance, solar irradiance, enough sun, sunlight, radiación solar,
        sun hits it, sun hits the roof, sunlight a day, hours of sun, sunshine hours, sunny days, sun strong,
        strength of the sun, how strong is the sun, solar energy, solar yield, kwh per square meter, good for solar
      `),
      hint: 'The energy input for flat or tracked panels: under 4 is marginal, above 5.5 excellent; cells are 4 km wide.',
      verdict: {
        yes: { from: 4 },
        margin: 0.1,
        matter: 'there is enough sun for panels',
        words: {
          yes: 'There is enough sun for panels: {value}',
          no: 'The sun is marginal for panels: {value}',
        },
        settledBy: 'an energy yield study',
      },
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
      terms: phrases(`
        direct sunlight, direct normal irradiance, concentrating solar, dni, beam radiation, direct normal, csp,
        direct sun, direct irradiance, direct beam, beam, beam irradiance, direct solar, concentrated solar, dni value
      `),
      hint: 'Concentrating plants want 6 or more; a large gap to global irradiance points to haze or cloud.',
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
      terms: phrases(`
        peak sun hours, sun on tilted panels, roof solar, panels at latitude tilt, solar output, tilt,
        sun for rooftop panels, rooftop solar, solar on the roof, panels on the roof, tilted panels,
        paneles en el techo, solar panels, panels, rooftop panels, solar on a roof, solar panels pay,
        put up solar panels, roof panels, pv on the roof, tilted surface, tilted panel, peak sun,
        solar panels worth it, panel output, home solar, residential solar
      `),
      hint: 'Multiply by 365, by the array in kW and by about 0.8 for a first yield in kWh a year of fixed panels.',
    },
  },
});
