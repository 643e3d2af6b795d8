import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * Both spellings are read: the legacy service's (site_no, lev_dt, lev_va: USGS, "Groundwater levels web service") and those
 * of the collection field-measurements that replaces it (monitoring_location_id, time, value:
 * https://api.waterdata.usgs.gov/ogcapi/v1/collections/field-measurements).
 */
export default defineDataset({
  id: 'usgs_nwis',
  title: 'Groundwater levels',
  publisher: 'USGS Water Data for the Nation',
  url: 'https://api.waterdata.usgs.gov/ogcapi/v1/',
  format: 'api json',
  licence: 'US public domain',
  cadence: 'daily (loaded monthly)',
  vintageRule: 'Date of the request to the service.',
  notes:
    'Layer gwlevels: wells reduced to the latest depth-to-water in feet within ten years. Legacy column names; the new service renames them.',
  unconfirmed: 'Whether the new service gives depth to water under one parameter code only (72019 is read).',
  acquire: {
    files: [
      {
        via: 'ogc',
        url: 'https://api.waterdata.usgs.gov/ogcapi/v1/collections/field-measurements/items?parameter_code=72019',
        ground: 50,
        note: 'Version 1 since September 2026; 50 requests an hour without a key, and the service says when to come again.',
        seen: 'public code',
        seenOn: '2026-09',
      },
    ],
  },
  layers: {
    gwlevels: {
      title: 'groundwater wells',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'site_no',
      partition: 'national',
      columns: {
        site_no: { type: 'string', aliases: ['monitoring_location_id'] },
        lev_dt: { type: 'date', aliases: ['time'] },
        lev_va: { type: 'number', unit: 'ft', description: 'Depth to water below land surface.', aliases: ['value'] },
      },
    },
  },
  fields: {
    nearest_groundwater_well_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest groundwater well',
      description: 'Distance to the nearest USGS monitoring well with a published water level.',
      expression: 'nearest_distance(usgs_nwis:gwlevels, max_km=200)',
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { utilities: 33 },
      terms: phrases(`
        monitoring well, usgs well, groundwater well nearby, distance to a well, nearest well, observation well,
        borehole, monitoring wells, water well nearby, usgs monitoring well
      `),
      hint: 'Tells how far to trust the depth beside it: beyond some kilometers another aquifer may lie under you.',
    },
    nearest_groundwater_well_depth_to_water_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Nearest groundwater well depth to water',
      description: 'Latest depth to water below land surface at the nearest USGS monitoring well.',
      expression: 'nearest_attr(usgs_nwis:gwlevels, lev_va, max_km=200, scale=0.3048)',
      confidence: 'const(medium)',
      // Published in hundredths of a foot.
      precision: 0.01,
      ttlSeconds: 2_592_000,
      presets: { utilities: 34, data_center_siting: 34 },
      terms: phrases(`
        how deep is the groundwater, water table in the well, depth to drill for water, drilling a well, pozo,
        hit water, how deep would a well be, how deep to drill, depth of a well, well depth, drill a well,
        wells going dry, well run dry, depth to groundwater, profundidad del agua, have to drill, drill for water,
        bore a well, how far down is water, well water level, pozo profundo, dry well, first water, well go dry,
        aquifer, drilled well, drill, water below ground, depth of groundwater, feet to water
      `),
      hint: 'Under about 3 m plan for dewatering, buoyant tanks and wet basements; levels swing by season and pumping.',
      verdict: {
        yes: { under: 3 },
        margin: 0.3,
        matter: 'groundwater is shallow',
        words: {
          yes: 'Groundwater is shallow: {value} down in the nearest well',
          no: 'Groundwater is {value} down in the nearest well',
        },
        settledBy: 'a test well',
      },
    },
  },
});
