import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'fhwa_hpms',
  title: 'Highway Performance Monitoring System',
  publisher: 'FHWA',
  url: 'https://www.fhwa.dot.gov/policyinformation/hpms/shapefiles.cfm',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'Data year of the submission.',
  notes: 'Column case varies by state and year; every spelling is accepted.',
  unconfirmed: "Spellings of the states' files before 2018.",
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://geo.dot.gov/server/rest/services/Hosted/HPMS_FULL_{ST}_{year}/FeatureServer/0',
        where: 'county_id = {countyNumber}',
        vintage: { newest: 'year', back: 7 },
        note: 'States come as late as 2020; their columns differ. Where facility_type is 6, a length is counted twice.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'traffic counts',
      kind: 'vector',
      geometry: 'line',
      joinKey: 'route_id',
      partition: 'state',
      columns: {
        route_id: { type: 'string', aliases: ['ROUTE_ID', 'Route_ID', 'routeid', 'RouteID'] },
        f_system: {
          type: 'integer',
          description: 'Functional system, 1 interstate to 7 local.',
          aliases: ['F_SYSTEM', 'F_System'],
        },
        aadt: { type: 'integer', unit: 'vehicles/day', aliases: ['AADT', 'AADT_VN'] },
      },
    },
  },
  fields: {
    nearest_road_aadt: {
      layer: 'built_environment',
      type: 'integer',
      unit: 'vehicles/day',
      title: 'Nearest road AADT',
      description: 'Annual average daily traffic on the nearest counted road segment within 5 km.',
      expression: 'nearest_attr(fhwa_hpms, aadt, max_km=5, where[aadt > 0])',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 22 },
      terms: phrases(`
        traffic, how busy is the road, cars per day, traffic count, vehicles a day, tráfico, aadt, adt,
        vehicles per day, traffic volume, busy road, heavy traffic, how much traffic, cars go by, daily traffic,
        vehicle count, exposure to passing cars, congestion, tránsito, busy street, how busy the street is,
        busy road in front, trucks go by, cars pass, vehicles pass, how many vehicles, traffic out front, cars a day,
        vehicles drive by, cars
      `),
      hint: 'Gas stations and drive-throughs want some 15,000 passing cars; a count of a parallel freeway is no frontage, so check which road it belongs to.',
    },
  },
});
