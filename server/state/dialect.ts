import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type SqliteDatabase, SqliteDialect } from 'kysely';

/** SQL that answers rows; Kysely asks before it runs a statement. */
const READER = /^\s*(?:select|with|pragma|values)\b|\breturning\b/i;

/** Node's own SQLite in the shape that Kysely's dialect expects of a driver: no native addon to install. */
function driver(file: string): SqliteDatabase {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON;');
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: READER.test(sql),
        all: parameters => statement.all(...bind(parameters)),
        run: parameters => statement.run(...bind(parameters)),
        iterate: parameters => statement.iterate(...bind(parameters)),
      };
    },
  };
}

/**
 * A Kysely dialect over node:sqlite, in write-ahead mode.
 * @param file database file, made when missing; `:memory:` for tests.
 * @throws Error from SQLite when the file cannot be opened.
 */
export function nodeSqlite(file: string): SqliteDialect {
  return new SqliteDialect({ database: driver(file) });
}
