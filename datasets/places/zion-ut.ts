import { onGitHub } from '../place/github.ts';
import type { Place } from '../place/place.ts';

const REPOSITORY = {
  url: 'https://github.com/Nowosad/spDataLarge',
  licence: 'CC0 (repository); US public domain',
} as const;

/** Zion National Park, Utah: two rasters in different coordinate systems over the same ground. */
const zion: Place = {
  name: 'zion-ut',
  title: 'Zion National Park, Utah',
  state: 'UT',
  // Most of the park lies in Washington County; parts are in Kane and Iron.
  county: '49053',
  coverage: { extent: true },
  files: onGitHub('Nowosad/spDataLarge', '4c2d08a97a0acea98a17ceb168df048df4bf00f2', {
    'raster/zion-ut/nlcd2011_original_classes.tif': 'inst/raster/nlcd2011.tif',
    'raster/zion-ut/srtm_dem.tif': 'inst/raster/srtm.tif',
  }),
  layers: [
    {
      dataset: 'usgs_3dep',
      layer: 'main',
      file: 'raster/zion-ut/srtm_dem.tif',
      columns: {},
      provenance: {
        source: 'nasa_srtm',
        title: 'SRTM elevation, 3 arc-seconds, Zion National Park',
        publisher: 'NASA / USGS',
        ...REPOSITORY,
        vintage: '2000',
        note: 'Stands in for elevation (usgs_3dep): radar heights above the EGM96 geoid, in whole meters, treetops included.',
      },
    },
    {
      dataset: 'mrlc_nlcd',
      layer: 'land_cover',
      file: 'raster/zion-ut/nlcd2011_original_classes.tif',
      columns: {},
      provenance: {
        source: 'mrlc_nlcd',
        title: 'NLCD 2011 land cover, Zion National Park',
        publisher: 'USGS / MRLC',
        ...REPOSITORY,
        vintage: '2011',
        note: 'Stands in for the latest year of land cover (mrlc_nlcd): land cover of 2011, resampled to a 31.5 m grid.',
      },
    },
  ],
};

export default zion;
