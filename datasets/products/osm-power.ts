import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'osm_power',
  title: 'OpenStreetMap power substations',
  publisher: 'OpenStreetMap contributors',
  url: 'https://download.geofabrik.de/north-america/us-latest.osm.pbf',
  format: 'osm pbf',
  licence: 'ODbL 1.0',
  cadence: 'daily (loaded quarterly)',
  vintageRule: 'Timestamp of the extract.',
  notes:
    'Layer substation = power=substation ways, relations and nodes. voltage is a tag in volts with several values joined by semicolons; the largest is used. Public HIFLD substations are withdrawn.',
  acquire: {
    files: [{ url: 'https://download.geofabrik.de/north-america/us/{stateSlug}-latest.osm.pbf', seen: 'publication' }],
  },
  layers: {
    substation: {
      title: 'substations',
      kind: 'vector',
      geometry: 'polygon',
      joinKey: 'osm_id',
      partition: 'national',
      columns: {
        osm_id: { type: 'string' },
        name: { type: 'string' },
        voltage: {
          type: 'string',
          unit: 'V',
          description: 'Tag with one or several values, such as 132000;33000; compared by its largest.',
        },
        operator: { type: 'string' },
      },
    },
  },
  fields: {
    nearest_substation_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest substation',
      description: 'Distance to the nearest electric substation.',
      expression: 'nearest_distance(osm_power:substation, max_km=200)',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: {
        site_selection: 16,
        utilities: 5,
        solar_siting: 11,
        wind_siting: 16,
        storage_siting: 1,
        data_center_siting: 1,
        grid_interconnect: 1,
      },
      terms: phrases(`
        substation, how far to the substation, electrical substation, grid connection, subestación,
        point of interconnection, nearest substation, closest substation, where can we interconnect, tie in,
        plug into the grid, connect to the grid, transformer station, sub, how far is the sub, nearest sub,
        hook up to the grid, gen-tie length, substations, electric substation, sub station, power substation,
        hookup to the grid, interconnect, tie into the grid, tie-in, poi for a project, transformer yard, switchyard,
        connect a project
      `),
      hint: 'Interconnecting at a substation is cheaper than tapping a line; straight-line meters, so allow for the route.',
    },
    nearest_substation_name: {
      layer: 'utilities',
      type: 'string',
      title: 'Nearest substation name',
      description: 'Name of the nearest electric substation.',
      expression: 'nearest_attr(osm_power:substation, name, max_km=200)',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { utilities: 6, solar_siting: 19, storage_siting: 3, grid_interconnect: 2 },
      terms: phrases(`
        which substation, name of the substation, closest substation called, substation called,
        nombre de la subestación, sub's name, what sub is it, substation name, name of the sub, sub called
      `),
      hint: 'Quote it in the interconnection request and find it in the queue tables; many mapped ones are nameless.',
    },
    nearest_substation_voltage_kv: {
      layer: 'utilities',
      type: 'number',
      unit: 'kV',
      title: 'Nearest substation voltage',
      description: 'Highest tagged voltage of the nearest electric substation.',
      expression: 'nearest_attr(osm_power:substation, voltage, max_km=200, scale=0.001)',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { utilities: 23, solar_siting: 20, storage_siting: 2, data_center_siting: 2, grid_interconnect: 3 },
      terms: phrases(`
        substation voltage, kv of the substation, how big is the substation, voltage at the substation,
        voltage of the substation, voltage of the sub, kv at the substation, kv of the sub, substation kv,
        volts at the substation, sub voltage, what voltage is the sub, what voltage is the substation
      `),
      hint: 'The tag lists every winding and this is the highest; your project may connect at a lower one.',
    },
    nearest_substation_operator: {
      layer: 'utilities',
      type: 'string',
      title: 'Nearest substation operator',
      description: 'Operator of the nearest electric substation.',
      expression: 'nearest_attr(osm_power:substation, operator, max_km=200)',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { utilities: 24, storage_siting: 16, grid_interconnect: 4 },
      terms: phrases(`
        who operates the substation, who runs the substation, substation owner, operator of the substation,
        whose substation, who owns the substation, whose sub, who owns the sub, substation operator, operates the sub,
        runs the sub, owner of the substation, substation belongs, owner of the sub, utility that owns the substation
      `),
      hint: 'Whom to ask for spare bays and breaker ratings, if a mapper recorded it; absent is common.',
    },
    nearest_substation_115kv_plus_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest 115 kV or higher substation',
      description: 'Distance to the nearest electric substation of 115 kV or more.',
      expression: 'nearest_distance(osm_power:substation, max_km=400, where[voltage >= 115000])',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { storage_siting: 17, grid_interconnect: 19 },
      terms: phrases(`
        115 kv substation, substation of at least 115 kilovolts, high voltage substation, 138 kv substation,
        115 kv or higher substation, 115 kv sub, substation of 115 kv or more, at least 115 kv substation,
        transmission substation, 115 kilovolt substation
      `),
      hint: 'Battery and solar developers seldom go beyond about 3 km of such a yard.',
    },
    nearest_substation_230kv_plus_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest 230 kV or higher substation',
      description: 'Distance to the nearest electric substation of 230 kV or more.',
      expression: 'nearest_distance(osm_power:substation, max_km=500, where[voltage >= 230000])',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { data_center_siting: 21, grid_interconnect: 20 },
      terms: phrases(`
        230 kv substation, bulk substation, substation of at least 230 kilovolts, 345 kv substation,
        230 kv or higher substation, 230 kv sub, substation of 230 kv or more, at least 230 kv substation,
        230 kilovolt substation, 345 kv sub
      `),
      hint: 'Bulk-power yards are sparse: treat tens of kilometers as normal outside load centers.',
    },
    substation_count_within_10km: {
      layer: 'utilities',
      type: 'integer',
      unit: 'count',
      title: 'Substation count within 10 km',
      description: 'Number of electric substations within 10 km.',
      expression: 'count_within(osm_power:substation, radius_m=10000)',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { storage_siting: 18, data_center_siting: 22, grid_interconnect: 21 },
      terms: phrases(`
        how many substations, substations around, grid density, number of substations nearby, number of substations,
        how many subs, substations within 10 km, count of substations, substations nearby, how many more substations
      `),
      hint: 'Several give alternatives when one has no spare capacity; zero predicts a long and costly tie line.',
    },
  },
});
