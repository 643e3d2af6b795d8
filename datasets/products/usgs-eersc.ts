import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usgs_eersc',
  title: 'US Wind Turbine Database and US Large-Scale Solar Photovoltaic Database',
  publisher: 'USGS and Lawrence Berkeley National Laboratory',
  url: 'https://energy.usgs.gov/uswtdb/ and https://energy.usgs.gov/uspvdb/',
  format: 'geojson',
  licence: 'US public domain',
  cadence: 'quarterly (wind), yearly (solar)',
  vintageRule: 'Version and release date in the file name.',
  notes: 'Layers uswtdb (points), uspvdb (polygons).',
  acquire: {
    files: [
      {
        layers: ['uswtdb'],
        url: 'https://energy.usgs.gov/uswtdb/assets/data/uswtdbGeoJSON.zip',
        form: { ending: '.zip' },
        seen: 'public code',
      },
      {
        layers: ['uspvdb'],
        url: 'https://energy.usgs.gov/uspvdb/assets/data/uspvdbGeoJSON.zip',
        form: { ending: '.zip' },
        seen: 'unconfirmed',
      },
    ],
  },
  layers: {
    uswtdb: {
      title: 'wind turbines',
      assessed: [
        {
          figure: 10,
          unit: 'm',
          means: 'was the error of a location that was tolerated when turbines were looked up in aerial images',
          page: 'https://gisdata.mn.gov/dataset/e811e1a8-f296-4129-8175-e6e618cc6eac',
        },
      ],
      kind: 'vector',
      geometry: 'point',
      joinKey: 'case_id',
      partition: 'national',
      columns: {
        case_id: { type: 'string' },
        t_cap: { type: 'number', unit: 'kW' },
      },
    },
    uspvdb: {
      title: 'solar plants',
      assessed: [
        {
          figure: 3699,
          unit: 'plants',
          means: 'of over 3,900 on the ground were seen in aerial images and outlined by the end of 2021',
          page: 'https://doi.org/10.1038/s41597-023-02644-8',
        },
      ],
      kind: 'vector',
      geometry: 'polygon',
      joinKey: 'case_id',
      partition: 'national',
      columns: {
        case_id: { type: 'string' },
        p_cap_ac: { type: 'number', unit: 'MW' },
      },
    },
  },
  fields: {
    nearest_utility_solar_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest utility solar',
      description: 'Distance to the nearest utility-scale solar facility polygon.',
      expression: 'nearest_distance(usgs_eersc:uspvdb, max_km=300)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { solar_siting: 28 },
      terms: phrases(`
        solar farm, closest solar farm, how far is a solar field, panels nearby, granja solar, nearest solar farm,
        solar farms close by, existing solar farm, solar project next door, see solar panels, operating solar farm,
        parque solar, glare from panels, solar farms, solar field, solar fields, solar panels nearby, big solar,
        solar plant, solar array nearby, solar project nearby, glare, utility solar,
        solar development, see the solar farm
      `),
      hint: 'A near one shows that the utility, the soils and the county board have accepted such a project.',
    },
    nearest_wind_turbine_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest wind turbine',
      description: 'Distance to the nearest utility-scale wind turbine.',
      expression: 'nearest_distance(usgs_eersc:uswtdb, max_km=500)',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { wind_siting: 5 },
      terms: phrases(`
        wind turbine, windmill, how far is the wind farm, turbine noise, shadow flicker, turbina, windmills close by,
        nearest turbine, see turbines, molino de viento, aerogenerador, flicker, molinos, turbine, turbines,
        windmills, wind farm, wind farms, wind mill, nearest windmill, spinning turbines, wind tower,
        wind power nearby, turbine close
      `),
      hint: 'Noise and flicker complaints fade beyond roughly two kilometers; siting ordinances often set a multiple of tip height.',
    },
    wind_turbine_count_within_10km: {
      layer: 'utilities',
      type: 'integer',
      unit: 'count',
      title: 'Wind turbine count within 10 km',
      description: 'Number of utility-scale wind turbines within 10 km.',
      expression: 'count_within(usgs_eersc:uswtdb, radius_m=10000)',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { wind_siting: 6 },
      terms: phrases(`
        how many windmills, wind turbines around, wind farm nearby, number of turbines, turbines nearby,
        turbines already built, turbines within 10 km, turbines around, number of windmills, count of turbines,
        wind turbines nearby, windmills nearby, how many turbines, wind towers around, turbines in the area
      `),
      hint: 'Dozens mean a wind farm on the horizon, with its access roads, collector lines and lease offers.',
    },
  },
});
