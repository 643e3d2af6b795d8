import { type Command, UsageError } from '../../query/engine/command.ts';
import { chosenRelease } from './chosen-release.ts';

/** Returns a value as a CSV cell (RFC 4180): quoted if it holds a separator, a quote or a line break; null is empty. */
function csv(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `plat sql`: runs a SELECT over the tables of a release. */
export const sqlCommand: Command = {
  name: 'sql',
  example: 'plat sql "SELECT count(*) FROM parcel_store.main"',
  summary: 'Run a SELECT over the Parquet tables of the current release and print CSV; it cannot write.',
  args: ['<select>'],
  options: [{ flags: '--release <id>', description: 'Release to read instead of the current one.' }],
  async run([text], { release: id }, terminal) {
    if (text === undefined || text.trim() === '')
      throw new UsageError('sql: expected a SELECT, for example "SELECT count(*) FROM parcel_store.main"');
    const { releases, manifest } = await chosenRelease(typeof id === 'string' ? id : undefined);
    const { ReleaseTables } = await import('../release/release-tables.ts');
    const tables = await ReleaseTables.open(releases, manifest);
    try {
      if (terminal.json) {
        const rows: Record<string, unknown>[] = [];
        const columns = await tables.select(text, (row, names) => {
          rows.push(Object.fromEntries(names.map((name, i) => [name, row[i]])));
        });
        terminal.out(JSON.stringify({ release: manifest.id, columns, rows }));
        return 0;
      }
      let headed = false;
      const head = (names: readonly string[]) => {
        if (!headed) terminal.out(names.map(csv).join(','));
        headed = true;
      };
      head(
        await tables.select(text, (row, names) => {
          head(names);
          terminal.out(row.map(csv).join(','));
        }),
      );
      return 0;
    } finally {
      tables.close();
    }
  },
};
