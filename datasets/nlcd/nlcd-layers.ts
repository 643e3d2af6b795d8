import type { Layer } from '../dataset.ts';

/** The grids of the National Land Cover Database that Plat reads. */
export const NLCD_LAYERS = {
  land_cover: {
    title: 'land cover',
    assessed: [
      {
        figure: 77.5,
        unit: '%',
        means:
          'of points have the class that was seen there (87.1 % with a second choice): NLCD 2019, Level II classes of the conterminous states',
        page: 'https://doi.org/10.1080/15481603.2023.2181143',
      },
    ],
    kind: 'raster',
    bands: 1,
    nodata: [250, 127],
    sampling: 'nearest',
    partition: 'national',
  },
  land_cover_2001: {
    title: 'land cover of 2001',
    assessed: [
      {
        figure: 83,
        unit: '%',
        means:
          'of points have the class that was seen there: 2001 as NLCD 2011 has it, Level II classes of the conterminous states',
        page: 'https://www.usgs.gov/publications/thematic-accuracy-assessment-2011-national-land-cover-database-nlcd',
      },
    ],
    kind: 'raster',
    bands: 1,
    nodata: [250, 127],
    sampling: 'nearest',
    partition: 'national',
  },
  impervious: {
    title: 'impervious surface',
    assessed: [
      {
        figure: 1.4,
        unit: 'percentage points',
        means:
          'was less cover than people saw in aerial images, on average over the conterminous states (5.7 in the worst of 65 zones): NLCD 2001',
        page: 'https://pubmed.ncbi.nlm.nih.gov/20676888/',
      },
    ],
    kind: 'raster',
    bands: 1,
    unit: 'percent',
    nodata: [250, 127],
    sampling: 'nearest',
    partition: 'national',
  },
  tree_canopy: {
    title: 'tree canopy',
    assessed: [
      {
        figure: 9.7,
        unit: 'percentage points',
        means:
          'was less cover than people saw in aerial images, on average over the conterminous states (28.4 in the worst of 65 zones): NLCD 2001',
        page: 'https://pubmed.ncbi.nlm.nih.gov/20676888/',
      },
    ],
    kind: 'raster',
    bands: 1,
    unit: 'percent',
    nodata: [254, 255],
    sampling: 'nearest',
    partition: 'national',
  },
} as const satisfies Readonly<Record<string, Layer>>;
