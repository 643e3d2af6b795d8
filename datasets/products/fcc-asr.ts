import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * Columns of the RA and CO records by their places in the definitions that the FCC publishes with the files (Public Access
 * Database Definitions, Antenna Structure Registration): the files have no header.
 */
export default defineDataset({
  id: 'fcc_asr',
  title: 'Antenna Structure Registration',
  publisher: 'FCC',
  url: 'https://data.fcc.gov/download/pub/uls/complete/r_tower.zip',
  format: 'pipe-delimited text',
  licence: 'US public domain',
  cadence: 'weekly',
  vintageRule: 'Date of the weekly full copy.',
  notes:
    'RA records joined to CO coordinates. Only registered structures (mostly over 200 ft or near airports), so it undercounts small cells.',
  acquire: { files: [{ url: 'https://data.fcc.gov/download/pub/uls/complete/r_tower.zip', seen: 'public code' }] },
  layers: {
    main: {
      title: 'antenna structures',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'Unique System Identifier',
      partition: 'national',
      columns: {
        'Unique System Identifier': { type: 'string' },
        'Registration Number': { type: 'string' },
        'Overall Height Above Ground': { type: 'number', unit: 'm' },
        'Status Code': { type: 'string', description: 'C constructed, G granted, D dismantled, and others.' },
      },
    },
  },
  fields: {
    nearest_antenna_structure_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest antenna structure',
      description: 'Distance to the nearest registered, constructed antenna structure (tower).',
      expression: "nearest_distance(fcc_asr, max_km=100, where[`Status Code` = 'C'])",
      confidence: 'const(medium)',
      ttlSeconds: 2_592_000,
      presets: { utilities: 40, wind_siting: 36 },
      terms: phrases(`
        cell tower, radio tower, antenna, mast, cell phone tower, torre de celular, cell phone tower nearby,
        cell mast, tower, broadcast tower, phone mast, cell coverage, antena, cell signal, phone signal, masts,
        tall tower, ham radio, cell towers, antennas, radio mast, tv tower, television tower, 5g, phone tower,
        cellular, transmitter, antenna tower, communications tower, radio waves
      `),
      hint: 'Mostly masts over 60 m: a falling-distance and microwave-path check, no measure of mobile coverage.',
    },
  },
});
