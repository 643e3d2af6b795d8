import type { CompiledQuery, Kysely } from 'kysely';
import { memo } from '../../datasets/memo.ts';
import type { Tables } from './tables.ts';

/** Stands in a statement for a value that each execution gives. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * Makes a statement that is built once for each database, and executed with other values each time. To build a short
 * statement takes Kysely as long as it takes SQLite to execute it: without this, reserving and settling take 2.4 times the
 * processor time.
 * @param build uses its values only as parameters, because they are placeholders.
 * @returns a function that executes it and returns its rows.
 */
export function prepared<V extends object, R>(build: (db: Kysely<Tables>, values: V) => CompiledQuery<R>) {
  const builtFor = memo((_adapter: object): { query?: CompiledQuery<R> } => ({}));
  return async (db: Kysely<Tables>, values: V): Promise<R[]> => {
    const built = builtFor(db.getExecutor().adapter);
    built.query ??= build(db, PLACEHOLDERS as V);
    const parameters = built.query.parameters.map(value =>
      value instanceof Placeholder ? (values as Record<string, unknown>)[value.name] : value,
    );
    return (await db.executeQuery<R>({ ...built.query, parameters })).rows;
  };
}
