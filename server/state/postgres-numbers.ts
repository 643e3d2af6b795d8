import pg from 'pg';

/** OID of bigint. The driver returns it as text, but no number of this store exceeds 2^53. */
const BIGINT = 20;

/** Reads bigint columns as numbers. */
export const NUMBERS: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};
