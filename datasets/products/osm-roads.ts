import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'osm_roads',
  title: 'OpenStreetMap roads',
  publisher: 'OpenStreetMap contributors',
  url: 'https://download.geofabrik.de/north-america/us-latest.osm.pbf',
  format: 'osm pbf',
  licence: 'ODbL 1.0',
  cadence: 'daily (loaded quarterly)',
  vintageRule: 'Timestamp of the extract.',
  notes:
    'Read from an extract as layer road: highways and car ferries with access, one-way streets, limits and turn restrictions at one node. Restrictions over ways, conditional ones and barriers on nodes are not read.',
  acquire: {
    files: [{ url: 'https://download.geofabrik.de/north-america/us/{stateSlug}-latest.osm.pbf', seen: 'publication' }],
    byHand: "road_graph: the roads of a new place are the Census Bureau's; a place file may take these instead of them",
  },
  layers: {
    road_graph: {
      title: 'roads for driving',
      kind: 'roads',
      model: 'osm',
      partition: 'national',
      columns: {
        osm_id: { type: 'string' },
        highway: { type: 'string' },
        route: { type: 'string', description: 'ferry, where it is one.' },
        oneway: { type: 'string' },
        junction: { type: 'string' },
        maxspeed: { type: 'string', description: 'In km/h, or with its unit: 55 mph.' },
        access: { type: 'string' },
        vehicle: { type: 'string' },
        motor_vehicle: { type: 'string' },
        motorcar: { type: 'string' },
        service: { type: 'string' },
        duration: { type: 'string', description: 'Of a ferry: hh:mm, or minutes.' },
        restriction: { type: 'string', description: 'Of a turn restriction.' },
        'restriction:motorcar': { type: 'string' },
        except: { type: 'string', description: 'Vehicles that it does not bind.' },
        from: { type: 'string', description: 'osm_id of the road that a restricted turn leaves.' },
        to: { type: 'string', description: 'osm_id of the road that it leads to.' },
      },
    },
  },
  fields: {},
});
