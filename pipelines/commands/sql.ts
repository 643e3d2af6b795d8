import { type Command, type Terminal, UsageError } from '../../query/engine/command.ts';
import type { SqlValue } from '../../query/sets/sql/set-query.ts';
import type { ReleaseTables } from '../release/release-tables.ts';
import { chosenRelease } from './chosen-release.ts';

/** Returns a value as a CSV cell (RFC 4180): quoted if it holds a separator, a quote or a line break; null is empty. */
function csv(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The name of a table, or of what may be meant as one: a dataset and a layer, and nothing of a SELECT. */
const TABLE = /^[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)?$/u;

/** The values that a flag gives. @throws UsageError */
function parametersOf(text: string): readonly SqlValue[] {
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    // What is wrong is said below.
  }
  if (Array.isArray(values) && values.every(value => isPlain(value) || (Array.isArray(value) && value.every(isPlain))))
    return values as readonly SqlValue[];
  throw new UsageError('sql: expected --parameters with a JSON array of texts, numbers, booleans and lists of them');
}

/** A list as the command prints it: a line of names and one for each entry. */
function print(terminal: Terminal, release: string, what: string, names: readonly string[], list: readonly object[]) {
  if (terminal.json) {
    terminal.out(JSON.stringify({ release, [what]: list }));
    return;
  }
  terminal.out(names.map(csv).join(','));
  for (const entry of list) terminal.out(names.map(name => csv((entry as Record<string, unknown>)[name])).join(','));
}

/** The columns of a table, with the units and meanings that its dataset gives them. */
async function describe(tables: ReleaseTables, table: string) {
  const { catalog } = await import('../../datasets/catalog.ts');
  const columns = await tables.columns(table);
  const [dataset, layer] = table.split('.') as [string, string];
  const declared = catalog.datasets.get(dataset)?.layers[layer];
  const facts = declared && 'columns' in declared ? declared.columns : {};
  return columns.map(({ name, type }) => {
    const { unit = null, description = null } = Object.hasOwn(facts, name) ? facts[name]! : {};
    return { column: name, type, unit, description };
  });
}

/** `plat sql`: lists and describes the tables of a release, and runs a SELECT over them. */
export const sqlCommand: Command = {
  name: 'sql',
  example: 'plat sql "SELECT count(*) FROM parcel_store.main"',
  summary:
    'Run a SELECT over the Parquet tables of the current release and print CSV, geometries as WKT; it cannot write. Without one it lists the tables, with the name of one it describes that.',
  args: ['[select]'],
  options: [
    { flags: '--release <id>', description: 'Release to read instead of the current one.' },
    {
      flags: '--parameters <list>',
      description: 'JSON array of the values of $1, $2 and so on, as --explain of questions about sets prints it.',
    },
  ],
  async run([text], { release: id, parameters }, terminal) {
    const values = parameters === undefined ? [] : parametersOf(String(parameters));
    if (text !== undefined && text.trim() === '')
      throw new UsageError('sql: expected a SELECT, for example "SELECT count(*) FROM parcel_store.main"');
    const { home, releases, manifest } = await chosenRelease(typeof id === 'string' ? id : undefined);
    const { ReleaseTables } = await import('../release/release-tables.ts');
    const { readPack } = await import('../../query/release/pack/pack.ts');
    const pack = readPack(home);
    if (pack) terminal.err(`This is a pack of ${pack.release}: rows of files that it lacks are left out`);
    const tables = await ReleaseTables.open(releases, manifest, pack);
    try {
      if (text === undefined) {
        print(terminal, manifest.id, 'tables', ['name', 'rows', 'partitions'], tables.tables);
        return 0;
      }
      if (TABLE.test(text.trim())) {
        const columns = await describe(tables, text.trim());
        print(terminal, manifest.id, 'columns', ['column', 'type', 'unit', 'description'], columns);
        return 0;
      }
      if (terminal.json) {
        const rows: Record<string, unknown>[] = [];
        const columns = await tables.select(
          text,
          (row, names) => {
            rows.push(Object.fromEntries(names.map((name, i) => [name, row[i]])));
          },
          values,
        );
        terminal.out(JSON.stringify({ release: manifest.id, columns, rows }));
        return 0;
      }
      let headed = false;
      const head = (names: readonly string[]) => {
        if (!headed) terminal.out(names.map(csv).join(','));
        headed = true;
      };
      head(
        await tables.select(
          text,
          (row, names) => {
            head(names);
            terminal.out(row.map(csv).join(','));
          },
          values,
        ),
      );
      return 0;
    } finally {
      tables.close();
    }
  },
};
