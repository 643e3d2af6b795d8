const GROUPS = ['1-unit', '2-units', '3-4 units', '5+ units'];

/**
 * Columns of the county files of the Building Permits Survey, whose header has two lines: place, then buildings, units and
 * value of each size of structure, and the same again as reported.
 */
export const PERMIT_COLUMNS: readonly string[] = [
  'Survey Date',
  'FIPS State',
  'FIPS County',
  'Region Code',
  'Division Code',
  'County Name',
  ...['', ' rep'].flatMap(reported =>
    GROUPS.flatMap(group => ['Bldgs', 'Units', 'Value'].map(what => `${group}${reported} ${what}`)),
  ),
];

/** Columns that count permitted units, by size of structure. */
export const UNIT_COLUMNS: readonly string[] = GROUPS.map(group => `${group} Units`);
