import pg from 'pg';
import type { Release } from '../../query/release/open-release.ts';
import { type Database, extentOf, isSmall, type Row } from '../search/peer.ts';
import { calculatedFields } from './calculation.ts';
import { type Prepared, selectPage, selectValid } from './query.ts';

// Integers and dates in the form in which Plat keeps them; PostgreSQL's own are text and local midnights.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, text => text);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, text => new Date(text).toISOString());

/**
 * PostGIS: a search is one prepared statement.
 * @param url of a database that `loadParcels` has filled from the release.
 * @param connections at most; each is a process of PostgreSQL.
 */
export function postgis(url: string, release: Release, connections: number): Database {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0 });
  const calculated = calculatedFields(release);
  const extent = extentOf(release);
  const run = async (statement: Prepared) => (await pool.query<Row>(statement)).rows;
  return {
    rows: request => run(selectPage(request, isSmall(request, extent), calculated)),
    valid: async areas => Boolean((await run(selectValid(areas)))[0]!.valid),
    close: () => pool.end(),
  };
}
