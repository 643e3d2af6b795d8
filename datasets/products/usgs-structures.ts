import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usgs_structures',
  title: 'National Structures Dataset',
  publisher: 'USGS',
  url: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Struct/GDB/',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'several times a year',
  vintageRule: 'Publication date of the national geodatabase.',
  notes: 'Fire stations FCODE 74026, law enforcement FCODE 74034.',
  acquire: {
    files: [
      {
        url: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Struct/GDB/STRUCT_{stateName}_State_GDB.zip',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'fire and police stations',
      assessed: [
        {
          figure: 92,
          unit: '%',
          means:
            'of the points that volunteers placed and others reviewed were as near as the National Map Accuracy Standards ask: 1,214 in Denver, 2011',
          page: 'https://pubs.usgs.gov/of/2012/1209/',
        },
      ],
      kind: 'vector',
      geometry: 'point',
      joinKey: 'PERMANENT_IDENTIFIER',
      partition: 'national',
      columns: {
        PERMANENT_IDENTIFIER: { type: 'string' },
        NAME: { type: 'string' },
        FTYPE: { type: 'integer' },
        FCODE: { type: 'integer', description: '74026 fire station, 74034 law enforcement.' },
      },
    },
  },
  fields: {
    nearest_fire_station_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest fire station',
      description: 'Distance to the nearest fire station.',
      expression: 'nearest_distance(usgs_structures, max_km=100, where[FCODE = 74026])',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { wildfire_underwrite: 14, points_of_interest: 12, storage_siting: 10 },
      terms: phrases(`
        fire department, firehouse, how far is the fire station, fire truck, insurance protection class, bomberos,
        fire station, distance to the fire station, responding fire station, fire engine, how long for the firemen,
        firefighters, fire protection, ppc class, estación de bomberos, volunteer fire station, fire house, fire hall,
        fire brigade, firemen, fire engines, fire crew, fire response, fire trucks, fire protection class,
        protection class, respond to a fire, house on fire, fire department respond, miles from a fire station
      `),
      hint: 'Insurers rate protection by road distance, typically 8 km; a staffed and a volunteer house look the same here.',
    },
    nearest_fire_station_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest fire station name',
      description: 'Name of the nearest fire station.',
      expression: 'nearest_attr(usgs_structures, NAME, max_km=100, where[FCODE = 74026])',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { wildfire_underwrite: 32, points_of_interest: 16 },
      terms: phrases(`
        which fire department, name of the firehouse, which fire station serves, fire station called,
        name of the fire department, responding station, volunteer fire department, fire station is it,
        which fire station, name of the fire station, which station responds, fire station name, which fire house,
        engine company
      `),
      hint: 'Ask this department for its ISO class and hydrant coverage at the address.',
    },
    nearest_police_station_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest police station',
      description: 'Distance to the nearest police station or law enforcement facility.',
      expression: 'nearest_distance(usgs_structures, max_km=100, where[FCODE = 74034])',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { points_of_interest: 13 },
      terms: phrases(`
        police, sheriff, how far is the police, law enforcement, policía, police station, sheriff's office, cops,
        how far are the cops, estación de policía, 911 response, comisaría, deputies, patrol, police nearby,
        police response, state police, troopers, cop, sheriffs, sheriff's station, cop shop, 911 call, constable,
        precinct
      `),
      hint: 'A weak sign of response time, since patrols start from the road; includes sheriffs, campus and prison posts.',
    },
  },
});
