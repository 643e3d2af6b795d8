import { onGitHub } from '../place/github.ts';
import type { Place } from '../place/place.ts';

const REPOSITORY = { url: 'https://github.com/opengeos/data', licence: 'MIT (repository)' } as const;

/** A lidar tile of 566 m by 518 m in Alexandria, Virginia, with the buildings on it. */
const alexandria: Place = {
  name: 'alexandria-va',
  title: 'Alexandria, Virginia (one lidar tile)',
  state: 'VA',
  county: '51510',
  coverage: { extent: true },
  files: onGitHub('opengeos/data', '6d9ff544d3adcf4d87bcd694068f4b510a0fdf27', {
    'raster/alexandria-va/buildings.geojson': 'elevation/buildings.geojson',
    'raster/alexandria-va/dtm_2m.tif': 'elevation/dtm.tif',
  }),
  layers: [
    {
      dataset: 'usgs_3dep',
      layer: 'main',
      file: 'raster/alexandria-va/dtm_2m.tif',
      columns: {},
      provenance: {
        source: 'usgs_3dep_lidar',
        title: 'Bare-earth lidar terrain model, 2 m, Alexandria',
        publisher: 'USGS 3DEP lidar, as derived by opengeos/data',
        ...REPOSITORY,
        vintage: 'not stated',
        note: 'Stands in for the seamless 1/3 arc-second elevation model (usgs_3dep): a finer grid from the lidar itself.',
      },
    },
    {
      dataset: 'fema_usa_structures',
      layer: 'main',
      file: 'raster/alexandria-va/buildings.geojson',
      expectRows: 84,
      columns: { SQMETERS: 'SQMETERS', HEIGHT: 'HEIGHT' },
      unpublished: ['BUILD_ID', 'PROP_ADDR', 'OCC_CLS', 'PRIM_OCC', 'IMAGE_DATE'],
      provenance: {
        source: 'opengeos_buildings',
        title: 'Building footprints on the lidar tile',
        publisher: 'OpenStreetMap / Microsoft, redistributed by opengeos/data',
        url: REPOSITORY.url,
        licence: 'MIT (repository); ODbL may apply to the footprints',
        vintage: 'not stated',
        note: 'Stands in for buildings (fema_usa_structures) with area and height only; its coverage is the box of the footprints.',
      },
    },
  ],
};

export default alexandria;
