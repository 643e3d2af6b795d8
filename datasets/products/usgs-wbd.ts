import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usgs_wbd',
  title: 'Watershed Boundary Dataset',
  publisher: 'USGS',
  url: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Hydrography/WBD/National/GDB/WBD_National_GDB.zip',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'quarterly',
  vintageRule: 'Publication date of the national geodatabase.',
  notes: 'Layer WBDHU12.',
  acquire: {
    files: [
      {
        url: 'https://prd-tnm.s3.amazonaws.com/StagedProducts/Hydrography/WBD/National/GDB/WBD_National_GDB.zip',
        seen: 'public code',
      },
    ],
  },
  layers: {
    WBDHU12: {
      title: 'subwatersheds',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 12,
      accuracyIn:
        'USGS and NRCS, Techniques and Methods 11-A3, Federal Standards and Procedures for the Watershed Boundary Dataset: 1:24,000 (NMAS: 40 feet)',
      joinKey: 'huc12',
      partition: 'state',
      columns: {
        huc12: { type: 'string' },
        name: { type: 'string' },
        areasqkm: { type: 'number', unit: 'km2' },
      },
    },
  },
  fields: {
    huc_12: {
      layer: 'terrain',
      type: 'string',
      title: 'HUC12 subwatershed code',
      description: 'Twelve-digit hydrologic unit (subwatershed) code containing the point.',
      expression: 'polygon_attr(usgs_wbd:WBDHU12, huc12)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 25, flood_risk: 31, boundaries: 24 },
      terms: phrases(`
        watershed code, drainage basin, subwatershed, cuenca, which watershed, huc12, huc 12, hydrologic unit,
        twelve digit watershed, twelve digit number of the watershed, watershed number, huc-12, hydrologic unit code,
        12 digit, 12-digit watershed, subwatershed code
      `),
      hint: 'The key for joining water-use and watershed-plan tables; it stays the same for years, unlike local basin names.',
    },
    huc_12_name: {
      layer: 'terrain',
      type: 'string',
      title: 'HUC12 subwatershed name',
      description: 'Name of the twelve-digit subwatershed containing the point.',
      expression: 'polygon_attr(usgs_wbd:WBDHU12, name)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 26, flood_risk: 32, boundaries: 25 },
      terms: phrases(`
        what watershed am i in, name of the drainage basin, watershed name, where does the water drain to, watershed,
        drain into, which watershed do i drain into, what basin, cuenca hidrográfica, where does runoff end up,
        what drainage are we in, watershed called, watershed name here, name of the watershed, rain end up,
        runoff end up, drainage area, which river basin, catchment
      `),
      hint: 'Use it in correspondence with watershed groups and stormwater offices, who speak in names rather than codes.',
    },
    huc_8: {
      layer: 'terrain',
      type: 'string',
      title: 'HUC8 subbasin code',
      description: 'Eight-digit subbasin code containing the point.',
      expression: 'derived(expr[left(huc_12, 8)], huc_12=@huc_12)',
      confidence: 'min_inputs',
      ttlSeconds: 31_536_000,
      presets: { terrain: 27 },
      terms: phrases(`
        subbasin, river basin code, larger watershed, eight digit watershed, huc8, huc 8, eight digit basin,
        basin code, huc-8, 8 digit, 8-digit watershed, sub-basin, larger basin, basin number
      `),
      hint: 'Mitigation-bank service areas are commonly drawn at this level: credits bought in another subbasin may not count.',
    },
  },
});
