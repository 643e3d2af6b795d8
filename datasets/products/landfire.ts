import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'landfire',
  title: 'LANDFIRE 40 Scott and Burgan fire behavior fuel models',
  publisher: 'USFS and DOI',
  url: 'https://www.landfire.gov/data',
  format: 'geotiff',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'LANDFIRE version named in the file (LF 2023, LF 2024).',
  notes: 'Layer fbfm40.',
  unconfirmed: 'The value that means no data in editions before 2022.',
  acquire: {
    files: [
      {
        via: 'image',
        url: 'https://lfps.usgs.gov/arcgis/rest/services/Landfire_LF2024/LF2024_FBFM40_CONUS/ImageServer',
        ground: 2,
        note: 'No data is 32767. The edition of 2025 has gaps: it is not the newest whole one.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    fbfm40: {
      title: 'fire behavior fuel models',
      kind: 'raster',
      bands: 1,
      nodata: [-9999, 32767],
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    fuel_model_fbfm40: {
      layer: 'hazards',
      type: 'string',
      title: 'Fuel model (FBFM40)',
      description: 'Scott and Burgan fire behavior fuel model at the point, such as GR2.',
      expression: 'raster_sample(landfire:fbfm40, 1, map=fbfm40_codes)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 7 },
      terms: phrases(`
        fire fuel, vegetation fuel, fuel model, fbfm, grass or timber fuel, fuel type for fire, vegetation that burns,
        brush and grass fuel, what would burn, fuels, fuel load, brush to burn, fire fuels, burnable, grass fire,
        kind of fuel for fire, fuel for a fire, fuel for a wildfire, fuel type, what carries fire,
        burnable vegetation, fuel model number, dry brush
      `),
      hint: 'Grass (GR) carries fast, low flames; shrub (SH) and slash (SB) burn hotter: prefix NB means nothing that sustains a fire.',
    },
  },
});
