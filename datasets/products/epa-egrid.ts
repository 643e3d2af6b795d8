import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * The column of the polygons that holds the acronym: `ZipSubregi` in eGRID2022_Subregions.shp (EPA, eGRID mapping files,
 * https://www.epa.gov/egrid/egrid-mapping-files), `SUBRGN` in the workbook and in older editions. All are accepted.
 */
export default defineDataset({
  id: 'epa_egrid',
  title: 'eGRID subregions and rates',
  publisher: 'US EPA',
  url: 'https://www.epa.gov/egrid/download-data',
  format: 'xlsx',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'Data year in the file names.',
  notes:
    'subregion_poly is the shapefile of the mapping files, srl the sheet SRL{yy} of the workbook, whose second header line has the codes. Rates in lb/MWh.',
  unconfirmed: "The acronym's column in mapping files after eGRID2022.",
  acquire: {
    files: [
      {
        layers: ['srl'],
        url: '{link}',
        vintage: {
          index: 'https://www.epa.gov/egrid/download-data',
          link: '[^"\'<>]*egrid(\\d{4})_data(?:_rev\\d+)?\\.xlsx',
        },
        form: { ending: '.xlsx', options: { sheet: 'SRL*', skipLines: 1 } },
        seen: 'public code',
      },
      {
        layers: ['subregion_poly'],
        url: '{link}',
        vintage: {
          index: 'https://www.epa.gov/egrid/egrid-mapping-files',
          link: '[^"\'<>]*egrid(\\d{4})_subregions[^"\'<>]*\\.zip',
        },
        seen: 'public code',
      },
    ],
  },
  layers: {
    subregion_poly: {
      title: 'eGRID subregions',
      kind: 'vector',
      geometry: 'polygon',
      joinKey: 'SUBRGN',
      partition: 'national',
      columns: {
        SUBRGN: {
          type: 'string',
          description: 'Acronym of the subregion.',
          aliases: ['ZipSubregi', 'Subregion', 'SUBREGION'],
        },
      },
    },
    srl: {
      title: 'emission rates of eGRID subregions',
      kind: 'table',
      key: { column: 'SUBRGN', is: 'egrid_subregion' },
      partition: 'national',
      columns: {
        SUBRGN: { type: 'string' },
        SRNAME: { type: 'string', description: 'Name of the subregion.' },
        SRC2ERTA: { type: 'number', unit: 'lb/MWh', description: 'CO2 equivalent total output emission rate.' },
      },
    },
  },
  fields: {
    egrid_subregion: {
      layer: 'utilities',
      type: 'string',
      title: 'eGRID subregion',
      description: 'EPA eGRID subregion acronym containing the point.',
      expression: 'polygon_attr(epa_egrid:subregion_poly, SUBRGN)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { utilities: 20, boundaries: 26, storage_siting: 29, grid_interconnect: 36 },
      terms: phrases(`
        egrid region, emissions region, grid subregion, egrid, grid region, power region, which grid, egrid zone,
        epa grid region, subregion, emissions subregion
      `),
      hint: 'The key for Scope 2 location-based accounting; quote it with the eGRID edition that you used.',
    },
    grid_co2e_rate_kg_per_mwh: {
      layer: 'utilities',
      type: 'number',
      unit: 'kg/MWh',
      title: 'Grid CO2e rate',
      description: 'Annual CO2-equivalent output emission rate of the eGRID subregion.',
      expression: 'area_key_attr(epa_egrid:srl, key=egrid_subregion, SRC2ERTA, scale=0.45359237)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { utilities: 21, storage_siting: 30, data_center_siting: 29, grid_interconnect: 37 },
      terms: phrases(`
        how clean is the grid, carbon intensity, emissions of electricity, co2 per megawatt-hour, dirty power,
        dirty electricity, clean electricity, carbon footprint of power, co2, emission rate,
        greenhouse gas of the grid, grid emissions, how green is the power, scope 2, co2e, carbon factor, carbon,
        carbon emissions, emissions, greenhouse gas, greenhouse gases, carbon footprint, clean power, green power,
        green electricity, dirty, clean is the power, clean energy, emissions factor, emission factor
      `),
      hint: 'Average output, good for inventories; avoided emissions of a new project need the marginal rate instead.',
    },
  },
});
