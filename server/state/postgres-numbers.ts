import pg from 'pg';

/** OID of bigint, which the driver gives as text; no number of this store passes 2^53. */
const BIGINT = 20;

/** How values of columns are read. */
export const NUMBERS: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};
