import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'silvis_wui',
  title: 'Wildland-urban interface by census block, 1990-2020',
  publisher: 'University of Wisconsin SILVIS Lab and USFS',
  url: 'https://geoserver.silvis.forest.wisc.edu/geodata/wui_change_2020/',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'decadal',
  vintageRule: 'Census year of the block set (2020).',
  notes: 'CONUS only.',
  acquire: {
    files: [
      {
        url: 'https://geoserver.silvis.forest.wisc.edu/geodata/wui_change_2020_v4/zip/shp/{ST}_wui_block_1990_2020_change_v4_shp.zip',
        note: 'Version 4. The shapefile cuts names: WUICLASS_2 is 2020, WUICLASS_1 2010. BLK20 repeats.',
        form: {
          ending: '.shp.zip',
          columns: { WUICLASS2020: 'WUICLASS_2', WUIFLAG2020: 'WUIFLAG202', HUDEN2020: 'HUDEN2020' },
        },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'wildland-urban interface by census block',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 7.6,
      accuracyIn: 'drawn of census blocks: as those of TIGER/Line',
      joinKey: null,
      partition: 'state',
      columns: {
        WUICLASS2020: { type: 'string', aliases: ['WUICLASS_2'] },
        WUIFLAG2020: { type: 'integer', aliases: ['WUIFLAG202'], description: '0 not WUI, 1 intermix, 2 interface.' },
        HUDEN2020: { type: 'number', description: 'Housing units a square kilometer.' },
      },
    },
  },
  fields: {
    wui_class: {
      layer: 'hazards',
      type: 'string',
      title: 'WUI class',
      description: 'Wildland-urban interface class of the census block part containing the point, 2020.',
      expression: 'polygon_attr(silvis_wui, WUICLASS2020)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 6, building_lookup: 17 },
      terms: phrases(`
        wildland urban interface, wui, edge of the forest, homes near wild land, interface or intermix, wildland,
        wildland-urban, intermix, woods meet houses, houses among woods, urban interface, interface zone, wui zone,
        houses near the woods, wildland interface, edge of wildland, house in the woods, forest edge, wildland edge,
        interface
      `),
      hint: 'Intermix and interface labels bring ignition-resistant building rules in many states; Uninhabited and NoVeg labels do not.',
      verdict: {
        yes: [
          'Low_Dens_Interface',
          'Med_Dens_Interface',
          'High_Dens_Interface',
          'Low_Dens_Intermix',
          'Med_Dens_Intermix',
          'High_Dens_Intermix',
        ],
        matter: 'the place counts as wildland-urban interface',
        words: {
          yes: 'The WUI class is {value}, where many states require ignition-resistant building',
          no: 'The WUI class is {value}',
        },
        settledBy: 'the local building office',
      },
    },
  },
});
