import { integer, text } from './setting.ts';

/** How far readers follow a file of a source before they refuse it, and what they may use. */
export const SOURCE_LIMITS = {
  readUnpacked: integer(
    'PLAT_READ_UNPACKED_MB',
    65_536,
    1,
    1_000_000_000,
    'Megabytes that a packed file of a source may unpack to; more is refused.',
  ),
  readRatio: integer(
    'PLAT_READ_RATIO',
    200,
    1,
    1_000_000,
    'Times that a packed file of a source may grow, where it unpacks to more than 64 MB; more is refused.',
  ),
  readMembers: integer('PLAT_READ_MEMBERS', 20_000, 1, 100_000_000, 'Files in one archive of a source.'),
  readLine: integer('PLAT_READ_LINE_MB', 16, 1, 512, 'Megabytes of one line or record of a text file of a source.'),
  readValue: integer(
    'PLAT_READ_VALUE_MB',
    32,
    1,
    1_024,
    'Megabytes of one feature, record, JSON value, sheet or raster block of a source; reading takes up to ten times as much memory.',
  ),
  readColumns: integer('PLAT_READ_COLUMNS', 10_000, 1, 1_000_000, 'Columns of one table of a source.'),
  readCells: integer(
    'PLAT_READ_CELLS',
    4_000_000,
    1_000,
    100_000_000,
    'Cells of one sheet of a workbook, empty ones counted; texts of one block of an OpenStreetMap file.',
  ),
  readDepth: integer(
    'PLAT_READ_DEPTH',
    64,
    8,
    10_000,
    'JSON arrays and objects within each other in a file of a source.',
  ),
  projGrids: text(
    'PLAT_PROJ_GRIDS',
    '',
    'Folder of shift grids of PROJ (.tif, .gsb), with which files on older datums such as NAD27 are read; empty: they are refused.',
  ),
} as const;
