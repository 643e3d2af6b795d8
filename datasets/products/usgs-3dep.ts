import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

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
  acquire: {
    files: [
      {
        url: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Elevation/13/TIFF/current/{tile}/USGS_13_{tile}.tif',
        seen: 'public code',
      },
    ],
    byHand: 'slope_percent: no file, but computed from the elevation where an overlap asks for it',
  },
  layers: {
    main: {
      title: 'elevation',
      assessed: [
        {
          figure: 0.82,
          unit: 'm',
          means:
            'root mean square error of heights of the 1/3 arc-second DEM at about 25,000 surveyed points of the conterminous states, as of 2022',
          page: 'https://www.usgs.gov/faqs/what-vertical-accuracy-3d-elevation-program-3dep-dems',
        },
      ],
      kind: 'raster',
      bands: 1,
      unit: 'm',
      rmse: 0.82,
      nodata: [-999999],
      sampling: 'bilinear',
      partition: 'state',
    },
    // Never stored: computed from main where an overlap asks for it.
    slope_percent: {
      title: 'slope',
      kind: 'raster',
      bands: 1,
      unit: 'percent',
      sampling: 'nearest',
      partition: 'state',
    },
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
      terms: phrases(`
        altitude, how high, high above sea level, height above sea level, feet above sea level,
        how far above sea level, altura sobre el nivel del mar, elevation of the ground, height of the land, altitud,
        a qué altura, metros sobre el nivel del mar, above the sea, meters above sea level, above the ocean,
        mile high, high above the sea, height above the sea, above sea level, elevated, altitude sickness, asl,
        height of the ground, high elevation, highest, elevación
      `),
      hint: 'Good for comparing sites and rough drainage; for a flood decision order a survey, since tiles differ from one to several meters in accuracy.',
    },
    slope_degrees: {
      layer: 'terrain',
      type: 'number',
      unit: 'degrees',
      title: 'Slope (degrees)',
      description: 'Terrain slope at the point from the elevation model.',
      expression: 'raster_terrain(usgs_3dep, slope_degrees, window_m=30)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 2, wildfire_underwrite: 12, wind_siting: 9 },
      terms: phrases(`
        steep, how steep, incline, grade of the land, hilly, pendiente, sloping lot, inclination, slope angle,
        steepness, how steep is the hill, empinado, inclinado, slope in degrees, how it slopes, pitch of the land,
        gradient, tilted land, sledding, roll downhill, slope, how sharp is the slope,
        steep hill, degrees of slope, ski, mow the hill, tractor roll, angle of the slope
      `),
      hint: 'Above 15 degrees roads, foundations and septic fields become special work; a cell is ten meters or more, so cut banks disappear.',
      verdict: {
        yes: { from: 15 },
        margin: 0.5,
        matter: 'the ground is steep',
        words: {
          yes: 'The ground is steep, with a slope of {value}',
          no: 'The slope is {value}, which is workable',
        },
        settledBy: 'a topographic survey',
      },
    },
    slope_percent: {
      layer: 'terrain',
      type: 'number',
      unit: 'percent',
      title: 'Slope (percent)',
      description: 'Terrain slope at the point as rise over run.',
      expression: 'raster_terrain(usgs_3dep, slope_percent, window_m=30)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 3, site_selection: 4, solar_siting: 3, storage_siting: 6, data_center_siting: 15 },
      terms: phrases(`
        steepness in percent, slope under 5 percent, slope under 10 percent, percent grade, how steep,
        flat enough to build, slope of the land, pendiente, hillside, slope in percent, grade in percent,
        rise over run, too steep to build, driveway grade, flat or sloped, is it flat, level lot, flat enough,
        flat spot, flat yard, gentle slope, level enough, level ground, level yard, level or sloped, sloped, flat,
        slope percent, percent slope, grade
      `),
      hint: 'Codes speak in percent: 5 is the limit of an accessible walk, 10 of most tracker rows, 15 where many hillside ordinances begin.',
      verdict: {
        yes: { from: 15 },
        margin: 0.5,
        matter: 'the ground is steep',
        words: {
          yes: 'The ground is steep, with a slope of {value}',
          no: 'The slope is {value}, which is workable',
        },
        settledBy: 'a topographic survey',
      },
    },
    aspect_degrees: {
      layer: 'terrain',
      type: 'number',
      unit: 'degrees',
      title: 'Aspect (degrees)',
      description: 'Compass direction the slope faces, clockwise from north.',
      expression: 'raster_terrain(usgs_3dep, aspect_degrees, window_m=30)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 4 },
      terms: phrases(`
        which way the land faces, facing direction, compass bearing of the slope, orientation, exposure, azimuth,
        aspect in degrees, bearing, compass heading, compass direction, facing in degrees, heading of the slope,
        slope orientation in degrees
      `),
      hint: '180 faces due south; on ground under a few percent the number is little more than noise, so weigh it with steepness.',
    },
    aspect_cardinal: {
      layer: 'terrain',
      type: 'string',
      title: 'Aspect (cardinal direction)',
      description: 'Eight-point compass direction the slope faces, or flat.',
      expression: 'raster_terrain(usgs_3dep, aspect_cardinal, window_m=30)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 5, wildfire_underwrite: 17, solar_siting: 5 },
      terms: phrases(`
        south facing, north facing, which way does it face, slope direction, sun exposure, orientación de la ladera,
        aspect, faces south, faces north, slope faces, which direction does the slope face, orientation of the land,
        hacia dónde mira, orientación, which way does it tilt, tilts toward, sunny side, southern exposure, da al sur,
        morning sun, afternoon sun, facing south, facing north, faces, facing, face, which way the slope faces,
        sunny slope, shady side, north slope
      `),
      hint: 'South to southwest suits panels and dries fuels early; north faces keep snow and moisture for weeks longer.',
    },
    terrain_ruggedness_index_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Terrain ruggedness index',
      description: 'Riley terrain ruggedness index in the neighbourhood of the point.',
      expression: 'raster_terrain(usgs_3dep, tri, window_m=90)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 10, wind_siting: 8 },
      terms: phrases(`
        rugged, rough terrain, bumpy, uneven ground, how rough is the land, ruggedness, broken terrain,
        terreno accidentado, rocky and uneven, terreno irregular, rough ground, how rough is the terrain,
        rough country, rocky terrain, terrain, atv, broken ground, craggy, badlands, terrain roughness
      `),
      hint: 'Under 5 is smooth enough for large equipment, above 50 expect winching and helicopters; it grows with slope even where ground is even.',
    },
    topographic_position_index_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Topographic position index',
      description: 'Elevation of the point minus the mean elevation within 1 km.',
      expression: 'raster_terrain(usgs_3dep, tpi, window_m=2000)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 11, wildfire_underwrite: 19, wind_siting: 21 },
      terms: phrases(`
        hilltop, valley bottom, ridge or valley, on top of a hill, is it in a hollow, topographic position, low lying,
        hollow, knoll, crest, on a ridge, in a valley, in a dip, sits in a bowl, en un valle, cima del cerro,
        frost pocket, cold air, low spot, low ground, sheltered, knob, down in a hole, top of the hill,
        bottom of the hill, valley, ridge, ridgetop, basin or hill, cold air pool
      `),
      hint: 'Clearly positive means a ridge or knoll (wind, view, lightning), clearly negative a hollow (cold air, water); near zero is either flat or mid-slope.',
    },
    local_relief_1km_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Local relief within 1 km',
      description: 'Highest minus lowest elevation within 1 km.',
      expression: 'raster_zonal(usgs_3dep, 1, stat=range, over=radius:1000)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 6, wildfire_underwrite: 20, wind_siting: 22 },
      terms: phrases(`
        how hilly is the area, elevation range nearby, difference between high and low ground, mountainous,
        flat country, relief, local relief, hills around, how hilly, rise and fall, ground rise and fall,
        ups and downs of the land, up and down, height differences around, elevation change in the area,
        rolling country, lomas alrededor, rise and fall around, cliffs, drop-offs, hills, mountains, rolling hills,
        mountain country, hilliness, vertical relief, highest and lowest ground, bike up hills, foothills
      `),
      hint: 'A few meters is plain, above 300 mountains: read it for access cost and for how far one elevation number can be trusted.',
    },
    slope_mean_500m_degrees: {
      layer: 'terrain',
      type: 'number',
      unit: 'degrees',
      title: 'Mean slope within 500 m',
      description: 'Mean terrain slope within 500 m.',
      expression: 'raster_terrain(usgs_3dep, slope_degrees, window_m=30, stat=mean, over=radius:500)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 7, wind_siting: 23 },
      terms: phrases(`
        average slope around here, how steep is the area, hilly surroundings, neighborhood slope, mean slope,
        slope of the surroundings, average steepness, steep on average, slopes nearby
      `),
      hint: 'Describes the setting rather than the pad: a gentle spot in steep surroundings still has a hard driveway and run-on water.',
    },
    slope_under_5pct_fraction_1km: {
      layer: 'terrain',
      type: 'number',
      unit: 'fraction',
      title: 'Share of land under 5 percent slope within 1 km',
      description: 'Share of the area within 1 km with slope under 5 percent.',
      expression:
        'raster_terrain(usgs_3dep, slope_percent, window_m=30, stat=fraction, over=radius:1000, where[value < 5])',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 8, site_selection: 35, solar_siting: 4, storage_siting: 34 },
      terms: phrases(`
        how much flat land nearby, flat ground, level land, share of buildable flat land, terreno plano,
        flat land around, share of flat ground, nearly level slopes nearby, share under 5 percent grade,
        under five percent slope, flat acreage nearby, flat country around, flat land share, land that is flat,
        mostly flat, flat acres, flat terrain around
      `),
      hint: 'Under a third usually rules out a large pad or field array without mass grading; it ignores water, wetlands and ownership.',
      verdict: {
        yes: { from: 0.3334 },
        margin: 0.02,
        matter: 'there is enough level ground',
        words: {
          yes: 'There is level ground: {value} of the land within 1 km has under 5 percent slope',
          no: 'Level ground is scarce: {value} of the land within 1 km has under 5 percent slope',
        },
        settledBy: 'a topographic survey',
      },
    },
    slope_under_10pct_fraction_1km: {
      layer: 'terrain',
      type: 'number',
      unit: 'fraction',
      title: 'Share of land under 10 percent slope within 1 km',
      description: 'Share of the area within 1 km with slope under 10 percent.',
      expression:
        'raster_terrain(usgs_3dep, slope_percent, window_m=30, stat=fraction, over=radius:1000, where[value < 10])',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 9, solar_siting: 17 },
      terms: phrases(`
        gentle ground nearby, mostly level land, usable gentle ground, share of gently sloping land,
        share under 10 percent grade, under ten percent slope, gently sloping, gentle slopes, gentle land,
        under 10 percent slope, rolling but usable
      `),
      hint: 'The gap to the 5 percent figure is what terracing or tracker-tolerant layouts could add.',
    },
  },
});
