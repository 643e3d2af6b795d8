import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'peeringdb',
  title: 'PeeringDB facilities',
  publisher: 'PeeringDB',
  url: 'https://www.peeringdb.com/api/fac?country=US',
  format: 'api json',
  licence: 'PeeringDB acceptable use policy',
  cadence: 'daily (loaded monthly)',
  vintageRule: 'Day of the API call.',
  notes: 'Layer fac. Facilities without coordinates are geocoded by address on load.',
  acquire: {
    files: [
      {
        url: 'https://www.peeringdb.com/api/fac?country=US&depth=0',
        note: '20 requests a minute; coordinates may be empty.',
        seen: 'publication',
      },
    ],
  },
  layers: {
    fac: {
      title: 'data centers',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'id',
      partition: 'national',
      columns: {
        id: { type: 'string' },
        name: { type: 'string' },
        net_count: { type: 'integer' },
      },
    },
  },
  fields: {
    nearest_interconnection_facility_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest interconnection facility',
      description: 'Distance to the nearest carrier-neutral interconnection or colocation facility.',
      expression: 'nearest_distance(peeringdb:fac, max_km=1500)',
      confidence: 'const(medium)',
      ttlSeconds: 2_592_000,
      presets: { utilities: 41, data_center_siting: 7 },
      terms: phrases(`
        data center, colocation, peering, carrier hotel, internet exchange, fiber meet point, latency,
        nearest data center, carrier neutral facility, colo, meet-me room, distance to a data center, centro de datos,
        data centers, server farm, internet hub, network hub, low latency, meet me room, closest data center,
        internet backbone, server, cloud region
      `),
      hint: 'Each 100 km of fiber adds about a millisecond there and back; latency-bound tenants look for under 80 km.',
    },
    nearest_interconnection_facility_name: {
      layer: 'utilities',
      type: 'string',
      title: 'Nearest interconnection facility name',
      description: 'Name of the nearest carrier-neutral interconnection or colocation facility.',
      expression: 'nearest_attr(peeringdb:fac, name, max_km=1500)',
      confidence: 'const(medium)',
      ttlSeconds: 2_592_000,
      presets: { data_center_siting: 16 },
      terms: phrases(`
        which data center, name of the colocation facility, nearest carrier hotel, which internet exchange,
        colo called, data center called, data center name, name of the data center, colo name, facility called,
        carrier hotel called, name of the exchange
      `),
      hint: 'Its page lists the networks present, which tells whether diverse carriers can be had.',
    },
    interconnection_facility_count_within_50km: {
      layer: 'utilities',
      type: 'integer',
      unit: 'count',
      title: 'Interconnection facility count within 50 km',
      description: 'Number of carrier-neutral interconnection or colocation facilities within 50 km.',
      expression: 'count_within(peeringdb:fac, radius_m=50000)',
      confidence: 'const(medium)',
      ttlSeconds: 2_592_000,
      presets: { data_center_siting: 8 },
      terms: phrases(`
        how many data centers, colocation sites around, data center cluster, peering sites nearby,
        data centers around, number of data centers, colo facilities, carrier hotels around, data centers nearby,
        colos, how many colos, data centers in the region, number of carrier hotels, number of colos
      `),
      hint: 'Two or more allow route diversity; none means hauling traffic to another metro area.',
    },
  },
});
