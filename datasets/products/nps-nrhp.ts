import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'nps_nrhp',
  title: 'National Register of Historic Places public spatial data',
  publisher: 'National Park Service',
  url: 'https://irma.nps.gov/DataStore/Reference/Profile/2210280',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'about yearly',
  vintageRule: 'Date of the data set version on the publication page.',
  notes: 'Point features of the public copy; listings whose location is restricted are withheld by the publisher.',
  unconfirmed: 'RESNAME and the layer of the geodatabase that has the points.',
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://mapservices.nps.gov/arcgis/rest/services/cultural_resources/nrhp_locations/MapServer/0',
        ground: 100,
        note: 'Points alone; layer 1 has areas. Rows count where Status is Listed.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'historic places',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'RESNAME',
      partition: 'national',
      columns: {
        RESNAME: { type: 'string', description: 'Name of the listed resource.' },
      },
    },
  },
  fields: {
    nearest_historic_place_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest historic place',
      description: 'Distance to the nearest National Register of Historic Places listing with a public location.',
      expression: 'nearest_distance(nps_nrhp, max_km=100)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { points_of_interest: 22, wind_siting: 35 },
      terms: phrases(`
        historic building, landmark, national register, historic district, heritage site, section 106, historic,
        national register property, nrhp, historic site, historic preservation, historical landmark,
        old building listed, lugar histórico, preservation review, patrimonio histórico, archaeological, historical,
        history, heritage, historic register, historic landmark, listed building, registered landmark,
        historical society, shpo, old landmark, historic sites, historic review, landmark nearby
      `),
      hint: 'Federal permits or money nearby trigger Section 106 consultation; archaeological sites are withheld, so far away is no clearance.',
    },
  },
});
