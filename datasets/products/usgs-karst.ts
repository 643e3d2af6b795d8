import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * Column ROCKTYPE1 as in the state geologic maps that the report compiles: Weary and Doctor (2014), USGS Open-File Report
 * 2014-1156, https://doi.org/10.3133/ofr20141156. Pseudokarst layers that lack it have ROCKTYPE.
 */
export default defineDataset({
  id: 'usgs_karst',
  title: 'Karst in the United States, Open-File Report 2014-1156',
  publisher: 'USGS',
  url: 'https://pubs.usgs.gov/of/2014/1156/',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'static',
  vintageRule: 'Year of the report (2014); static.',
  unconfirmed: 'ROCKTYPE1 in every layer of the report, and which of its layers a national file joins.',
  acquire: { files: [{ url: 'https://pubs.usgs.gov/of/2014/1156/downloads/USKarstMap.zip', seen: 'public code' }] },
  layers: {
    main: {
      title: 'karst areas',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 250,
      accuracyIn: 'USGS, Open-File Report 2014-1156: compiled from maps down to 1:500,000 (NMAS: 0.02 inch)',
      joinKey: null,
      partition: 'state',
      columns: {
        ROCKTYPE1: { type: 'string', aliases: ['ROCKTYPE'], description: 'Main rock of the unit, such as limestone.' },
      },
    },
  },
  fields: {
    within_karst_area: {
      layer: 'hazards',
      type: 'boolean',
      title: 'Within karst area',
      description: 'Whether the point falls in an area of karst or pseudokarst.',
      expression: 'polygon_within(usgs_karst)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { site_selection: 40, solar_siting: 42, wind_siting: 47, storage_siting: 44, natural_hazard: 11 },
      terms: phrases(`
        sinkhole, karst, caves, limestone, cavern, will the ground collapse, sinkholes, ground opens up,
        limestone under it, karst terrain, ground caving in, socavón, dolina, hollow underneath,
        holes under the ground, terreno que se hunde, cuevas debajo, hueco en la tierra, ground sinking,
        ground gives way, earth swallows, sink hole, sinking ground, ground collapse, ground cave in, ground swallow,
        swallow the house, cave, caverns, collapse
      `),
      hint: 'True calls for a geotechnical check for voids, lined ponds and no infiltration wells; sinkholes can also open beyond the mapped rock.',
      verdict: {
        yes: true,
        matter: 'sinkholes can open',
        words: {
          yes: 'The place is in an area of karst, where sinkholes can open',
          no: 'The place is outside the mapped karst',
        },
        settledBy: 'a geotechnical check for voids',
      },
    },
  },
});
