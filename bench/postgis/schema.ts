import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'float8',
  integer: 'int8',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
};

/** Columns of the parcel table with their types, without geometry. `id` counts parcels in stored order. */
export const COLUMNS: Readonly<Record<string, string>> = {
  id: 'int8',
  // The key of the partition: what Plat answers for state and geoid.
  partition_state: 'text',
  partition_fips: 'text',
  partition_place: 'text',
  ...Object.fromEntries(Object.entries(PARCEL_ATTRIBUTES).map(([name, { type }]) => [name, TYPES[type as string]!])),
};

/** Names come from the catalog only; quoting makes any of them an identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The parcel table. */
export const TABLE = `CREATE UNLOGGED TABLE parcel (${Object.entries(COLUMNS)
  .map(([name, type]) => `${quoted(name)} ${type}`)
  .join(', ')}, geom geometry)`;

/** Trimmed and lower case, as cities and counties are compared; WHITE_SPACE of ECMAScript is in no parcel here. */
export const normalised = (name: string): string => `lower(btrim(${quoted(name)}))`;

/**
 * Indexes in stored order of all, of a state, of a county, and of a county's parcels of one code; geometry; and the
 * columns on which the classes' filters are selective, code and number together too, with what is common to both told to
 * the planner. An index on a code in the order of all would mislead: the planner
 * takes it for a county, and walks through the code's rows of every other county first.
 */
export function indexes(code: string, text: string, number: string): string[] {
  return [
    'ALTER TABLE parcel ADD PRIMARY KEY (id)',
    'CREATE INDEX ON parcel (partition_state, id)',
    'CREATE INDEX ON parcel (partition_fips, id)',
    `CREATE INDEX ON parcel (partition_fips, ${quoted(code)}, id)`,
    'CREATE INDEX ON parcel USING gist (geom)',
    'CREATE INDEX ON parcel (apn)',
    `CREATE INDEX ON parcel (${quoted(code)}, ${quoted(number)})`,
    `CREATE STATISTICS parcel_together (dependencies, mcv) ON ${quoted(code)}, ${quoted(number)} FROM parcel`,
    ...[...new Set([code, text, number])].map(name => `CREATE INDEX ON parcel (${quoted(name)})`),
  ];
}

/**
 * What a prepared predicate costs here, about 2 µs. PostGIS says fifty times as much, for which the planner reads the
 * whole index on the state to spare itself a few hundred.
 */
export const FUNCTION_COSTS =
  'ALTER FUNCTION ST_Intersects(geometry, geometry) COST 100; ALTER FUNCTION _ST_Covers(geometry, geometry) COST 100';
