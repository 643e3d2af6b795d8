import { defineDataset } from '../dataset.ts';

/** Plat's own shape for municipal zoning: there is no national product; every city publishes its own layer. */
export default defineDataset({
  id: 'local_zoning',
  title: 'Municipal zoning districts',
  publisher: 'Cities, towns and counties (named in each record)',
  url: 'per place file',
  format: 'per place file',
  licence: 'per place file',
  cadence: 'per jurisdiction',
  vintageRule: 'Date of the jurisdiction’s own file, as its place file states it.',
  notes:
    'Yields no field of its own: the district that covers most of a parcel is its zoning where the source of the parcels publishes none.',
  acquire: {
    byHand:
      'each jurisdiction has its own: its place file says where under `files`, as https://services5.arcgis.com/GfwWNkhOj9bNBqoJ/arcgis/rest/services/nyzd/FeatureServer/0 of New York City; the national atlas forbids automatic copies',
  },
  layers: {
    main: {
      title: 'zoning districts',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 4.1,
      accuracyIn: 'follows parcel lines: IAAO, Standard on Digital Cadastral Maps, as for parcels',
      joinKey: null,
      partition: 'county',
      columns: {
        ZONE: { type: 'string', description: 'District code as published.' },
        CONTRACT: { type: 'string', description: 'Council reference of a contract (conditional) zone.' },
      },
    },
  },
  fields: {},
});
