import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { NUMBERS } from '../../../server/state/postgres-numbers.ts';
import { nodeSqlite } from '../../../server/state/sqlite/dialect.ts';
import type { Tables } from '../../../server/state/tables.ts';
import type { StatePlace } from './state-stores.ts';

/** The tables of a place, beside its store. */
export const tablesOf = ({ home, url }: StatePlace) =>
  new Kysely<Tables>({
    dialect: url
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: url, types: NUMBERS }) })
      : nodeSqlite(join(home, 'state.sqlite')),
  });
