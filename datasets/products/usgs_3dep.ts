import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'usgs_3dep',
  title: '3D Elevation Program seamless DEM (1/3 arc-second; 1 arc-second and 2 arc-second Alaska)',
  publisher: 'USGS',
  url: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Elevation/13/TIFF/current/{tile}/USGS_13_{tile}.tif',
  format: 'geotiff',
  licence: 'US public domain',
  cadence: 'continuous, tile by tile',
  vintageRule: 'Publication date in the tile metadata; the lidar or photogrammetry flights behind a tile are older.',
  notes:
    'Cloud-optimised; read windows remotely or hold the 1 arc-second set locally. Slope and relief are computed from it on read. slope_percent is a pseudo-layer for overlap tests.',
  layers: {
    main: { kind: 'raster', bands: 1, unit: 'm', nodata: [-999999], sampling: 'bilinear', partition: 'state' },
  },
  fields: {
    elevation: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Elevation',
      description: 'Ground elevation above NAVD 88 (local datum outside CONUS) at the point.',
      expression: 'raster_sample(usgs_3dep, 1)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: {
        terrain: 1,
        flood_risk: 11,
        wildfire_underwrite: 18,
        site_selection: 3,
        building_lookup: 14,
        solar_siting: 18,
        wind_siting: 7,
        storage_siting: 33,
      },
      hint: 'Good for comparing sites and rough drainage; for a flood decision order a survey, since tiles differ from one to several metres in accuracy.',
    },
  },
});
