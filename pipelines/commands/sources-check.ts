import { join } from 'node:path';
import { type Command, UsageError } from '../../query/engine/command.ts';
import type { CheckedSource } from '../refresh/source-check.ts';
import { interruption } from './interruption.ts';

const HOUR_MS = 3_600_000;

/** @throws UsageError unless exactly one of county, state and all is chosen, and known. */
async function countiesWanted({ county, state, all }: Readonly<Record<string, string | boolean | undefined>>) {
  const { countiesOf, countyBox } = await import('../../datasets/codes/county-boxes.ts');
  if ([county, state, all].filter(value => value !== undefined && value !== false).length !== 1)
    throw new UsageError('expected one of --county, --state and --all');
  if (all) return countiesOf();
  if (state !== undefined) {
    const counties = countiesOf(String(state).toUpperCase());
    if (counties.length === 0)
      throw new UsageError(`--state ${state}: expected two letters of a state, for example ME`);
    return counties;
  }
  if (!countyBox(String(county)))
    throw new UsageError(`--county ${county}: expected the five digits of a county, for example 23019`);
  return [String(county)];
}

function lineOf({ verdict, dataset, layers, area, url, detail, vintage, rows, bytes, seen }: CheckedSource): string {
  const much = rows !== null ? `, ${rows} rows` : bytes !== null ? `, ${bytes} bytes` : '';
  const of = [area, layers.length > 2 ? `${layers.length} layers` : layers.join(', ')].filter(Boolean).join(', ');
  const why = detail === null ? '' : `; ${detail}`;
  const when = vintage === null ? '' : `, ${vintage}`;
  const before = verdict === 'alive' || seen === null ? '' : ` (its form was last seen in: ${seen})`;
  return `${verdict}  ${dataset}${of === '' ? '' : ` (${of})`}${url === null ? '' : `: ${url}`}${when}${much}${why}${before}`;
}

/** `plat sources check`: asks publishers whether they still have what the catalog names. */
export const sourcesCheckCommand: Command = {
  name: 'sources check',
  example: 'plat sources check --county 23019',
  summary:
    'Ask every publisher of the catalog, without a download, whether its addresses are alive, moved, gone, or have lost columns; each host one request at a time.',
  options: [
    { flags: '--county <fips>', description: 'Five digits of a county.' },
    { flags: '--state <code>', description: 'Every county of a state, for example ME.' },
    { flags: '--all', description: 'Every county; a check that is stopped goes on when it is run again.' },
    {
      flags: '--max-age <hours>',
      description: 'Hours for which an answer of an earlier check counts.',
      fallback: '24',
    },
  ],
  async run(_args, { maxAge, ...options }, terminal) {
    const hours = Number(maxAge ?? 24);
    if (!(hours >= 0)) throw new UsageError(`--max-age ${maxAge}: expected a number of hours from 0`);
    const counties = await countiesWanted(options);
    const [{ checkSources }, { catalog }, { clientOf }, { readSettings }] = await Promise.all([
      import('../refresh/source-check.ts'),
      import('../../datasets/catalog.ts'),
      import('../refresh/ingest-place.ts'),
      import('../../query/engine/settings.ts'),
    ]);
    const settings = readSettings(process.env);
    const stop = interruption('interrupted; the next check goes on from here');
    const client = clientOf(settings, line => terminal.interactive && terminal.err(line));
    const checked: CheckedSource[] = [];
    const counts = new Map<string, number>();
    try {
      const record = join(settings.home, 'sources-check.jsonl');
      const check = { client, counties, record, maxAgeMs: hours * HOUR_MS, now: () => new Date(), signal: stop.signal };
      for await (const source of checkSources(catalog, check)) {
        counts.set(source.verdict, (counts.get(source.verdict) ?? 0) + 1);
        if (terminal.json) checked.push(source);
        else terminal.out(lineOf(source));
      }
    } finally {
      stop.end();
      await client.close();
    }
    if (terminal.json) terminal.out(JSON.stringify(checked));
    else terminal.out([...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', '));
    return ['moved', 'changed columns', 'gone', 'unreachable'].some(verdict => counts.has(verdict)) ? 3 : 0;
  },
};
