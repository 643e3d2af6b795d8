import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usgs_earthquake',
  title: 'National Seismic Hazard Model grids, design maps, Quaternary faults and ComCat',
  publisher: 'USGS Earthquake Hazards Program',
  url: 'https://www.usgs.gov/programs/earthquake-hazards and https://earthquake.usgs.gov/fdsnws/event/1/',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'rare (grids, faults), live (ComCat, loaded monthly)',
  vintageRule: 'Model year of the grids, version of the fault database, day of the ComCat query.',
  notes: 'Layers nshm_pga_2pct50, design_ss, design_s1 (rasters), qfaults (lines), comcat (points).',
  acquire: {
    files: [
      {
        layers: ['qfaults'],
        url: 'https://earthquake.usgs.gov/static/lfs/nshm/qfaults/Qfaults_GIS.zip',
        form: { ending: '.shp.zip', options: { member: 'Qfaults_US_Database.shp' } },
        seen: 'public code',
      },
      {
        layers: ['comcat'],
        url: 'https://earthquake.usgs.gov/fdsnws/event/1/query?format=csv&starttime=1900-01-01&minmagnitude=4&minlatitude={south}&maxlatitude={north}&minlongitude={west}&maxlongitude={east}&orderby=time-asc&limit=20000',
        ground: 150,
        note: 'The service sends at most 20,000 events at once, which is more than a county has from magnitude 4.',
        seen: 'publication',
      },
    ],
    byHand:
      'nshm_pga_2pct50, design_ss, design_s1: grids of a model year, which the service answers a point at a time (https://earthquake.usgs.gov/ws/building-codes/asce7-22/calculate)',
  },
  layers: {
    nshm_pga_2pct50: {
      title: 'peak ground acceleration',
      kind: 'raster',
      bands: 1,
      unit: 'g',
      sampling: 'nearest',
      partition: 'national',
    },
    design_ss: {
      title: 'short period design acceleration',
      kind: 'raster',
      bands: 1,
      unit: 'g',
      sampling: 'nearest',
      partition: 'national',
    },
    design_s1: {
      title: 'one second design acceleration',
      kind: 'raster',
      bands: 1,
      unit: 'g',
      sampling: 'nearest',
      partition: 'national',
    },
    qfaults: {
      title: 'Quaternary faults',
      kind: 'vector',
      geometry: 'line',
      joinKey: null,
      partition: 'national',
      columns: {
        fault_name: { type: 'string' },
        slip_rate: { type: 'string' },
        age: { type: 'string' },
      },
    },
    comcat: {
      title: 'earthquakes',
      assessed: [
        {
          figure: 100,
          unit: 'km',
          means:
            'is the upper end of what the catalog calls typical of the horizontal error that it gives with each earthquake (the lower end is 0)',
          page: 'https://earthquake.usgs.gov/data/comcat/#event-horizontalError',
        },
      ],
      kind: 'vector',
      geometry: 'point',
      joinKey: 'id',
      partition: 'national',
      columns: {
        id: { type: 'string' },
        mag: { type: 'number' },
        time: { type: 'timestamp' },
        type: { type: 'string' },
      },
    },
  },
  fields: {
    seismic_pga_2pct_50yr_g: {
      layer: 'hazards',
      type: 'number',
      unit: 'g',
      title: 'Seismic PGA, 2 percent in 50 years',
      description: 'Peak ground acceleration with 2 percent probability of exceedance in 50 years.',
      expression: 'raster_sample(usgs_earthquake:nshm_pga_2pct50, 1)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { site_selection: 41, storage_siting: 43, data_center_siting: 12, natural_hazard: 6 },
      terms: phrases(`
        earthquake, shaking, ground motion, seismic hazard, peak ground acceleration, terremoto, sismo, pga,
        ground shaking, 2475 year, 2 percent in 50 years, earthquake hazard, seismic, shake, seismic load, terremotos,
        quakes, tiembla, temblores fuertes, sismos, earthquakes, quake, earthquake zone, earthquake country,
        shake hard, seismic zone, ground acceleration, shaking level, earthquake shaking, how hard would it shake
      `),
      hint: 'Above about 0.3 g design and insurance change markedly; stated for firm rock, softer soils amplify it.',
      verdict: {
        yes: { from: 0.3 },
        margin: 0.02,
        matter: 'earthquake shaking governs design',
        words: {
          yes: 'The strongest shaking to design for (peak ground acceleration, PGA) is {value}, enough to govern design',
          no: 'The strongest shaking to design for (peak ground acceleration, PGA) is {value}, below what governs design',
        },
        settledBy: 'a geotechnical report with the site class',
      },
    },
    seismic_ss_g: {
      layer: 'hazards',
      type: 'number',
      unit: 'g',
      title: 'Seismic design value SS',
      description: 'Mapped short-period risk-targeted spectral acceleration (SS).',
      expression: 'raster_sample(usgs_earthquake:design_ss, 1)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 19 },
      terms: phrases(`
        seismic design, ss, short period acceleration, structural engineer seismic value, asce 7, design spectrum,
        short period, ss value, spectral, spectral acceleration, short-period, seismic design parameters,
        building code seismic, ss and s1, short period spectral, seismic parameters
      `),
      hint: 'Feeds the short-building base shear in ASCE 7 after the site-class factor; engineers re-run it for the exact code edition.',
    },
    seismic_s1_g: {
      layer: 'hazards',
      type: 'number',
      unit: 'g',
      title: 'Seismic design value S1',
      description: 'Mapped one-second risk-targeted spectral acceleration (S1).',
      expression: 'raster_sample(usgs_earthquake:design_s1, 1)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 20 },
      terms: phrases(`
        seismic design, s1, one second acceleration, long period acceleration, asce 7, one second period, s1 value,
        one-second, 1 second, 1-second, long period, one second spectral, 1 second spectral acceleration, s1 and ss
      `),
      hint: 'Governs tall and flexible structures; from 0.75 on the strictest design category applies.',
      verdict: {
        yes: { from: 0.75 },
        margin: 0.02,
        matter: 'the strictest seismic design applies',
        words: {
          yes: 'The seismic value S1 is {value}, so the strictest design applies',
          no: 'The seismic value S1 is {value}',
        },
        settledBy: 'a geotechnical report with the site class',
      },
    },
    nearest_quaternary_fault_distance_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest Quaternary fault',
      description: 'Distance to the nearest Quaternary fault trace.',
      expression: 'nearest_distance(usgs_earthquake:qfaults, max_km=1000)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 17 },
      terms: phrases(`
        fault line, how far is a fault, active fault, san andreas, falla geológica, fault, nearest fault,
        earthquake fault, quaternary fault, distance to a fault, crack in the earth, crack in the ground, faults,
        fault lines, fault nearby, near a fault, earthquake faults, close to a fault, on top of a fault, fault zone,
        fault trace, active faults, fault rupture, falla
      `),
      hint: 'Some states require a geologist within 15 m to a kilometer of an active trace; many traces slip rarely or never.',
      verdict: {
        yes: { under: 1000 },
        matter: 'an active fault is near',
        words: {
          yes: 'The nearest Quaternary fault is {value} away, near enough for a geologist',
          no: 'The nearest Quaternary fault is {value} away',
        },
        settledBy: "a geologist's fault study",
      },
    },
    nearest_quaternary_fault_name: {
      layer: 'hazards',
      type: 'string',
      title: 'Nearest Quaternary fault name',
      description: 'Name of the nearest Quaternary fault.',
      expression: 'nearest_attr(usgs_earthquake:qfaults, fault_name, max_km=1000)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 18 },
      terms: phrases(`
        which fault, name of the fault line, what fault is nearby, fault called, name of the fault,
        name of the fault trace, fault name, which fault line, fault line called, name of the nearest fault,
        name of the active fault
      `),
      hint: 'Look up its slip rate and last rupture in the fault database before worrying about it.',
    },
    earthquake_count_m4_within_100km: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'Magnitude 4+ earthquakes within 100 km',
      description: 'Number of magnitude 4 or greater earthquakes within 100 km since 1970.',
      expression:
        "count_within(usgs_earthquake:comcat, radius_m=100000, where[mag >= 4 and time >= '1970-01-01' and type = 'earthquake'])",
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { natural_hazard: 21 },
      terms: phrases(`
        past earthquakes, how many earthquakes, quakes nearby, earthquake history, temblores,
        earthquakes of magnitude four, earthquakes felt, number of earthquakes, quakes since 1970,
        historial de terremotos, jolt, tremors, ground shook, earthquakes in the past, felt an earthquake,
        feel an earthquake, how often are there earthquakes, recorded earthquakes, number of quakes,
        earthquakes recorded, tremor, felt earthquakes, times has it shaken, ground shake, earth shook,
        terremotos pasados
      `),
      hint: 'Felt but seldom damaging shocks: a rate check on the hazard map, swollen by aftershocks and induced events.',
    },
  },
});
