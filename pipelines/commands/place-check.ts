import { dirname } from 'node:path';
import type { Command } from '../../query/engine/command.ts';
import { interruption } from './interruption.ts';
import { chosenPlace, PLACE_OPTIONS } from './place-option.ts';

/** `plat place check`: ingests a sample of each file without publishing. */
export const placeCheckCommand: Command = {
  name: 'place check',
  example: 'plat place check county.yaml --sources ../county',
  summary:
    'Plan a place and ingest a sample of each of its files without publishing: rows, rejects with their reasons, nulls and hit rates.',
  args: ['[file]'],
  options: [
    ...PLACE_OPTIONS,
    {
      flags: '--rows <n>',
      description: 'Number of rows of each layer to try, spread over its file (0: all).',
      fallback: '2000',
    },
  ],
  async run([file], options, terminal) {
    const { UsageError } = await import('../../query/engine/command.ts');
    const rows = Number(options.rows ?? 2000);
    if (!Number.isInteger(rows) || rows < 0)
      throw new UsageError(`--rows ${options.rows}: expected a whole number from 0`);
    const { place, sources } = await chosenPlace(
      file === undefined ? options : { ...options, placeFile: file, sources: options.sources ?? dirname(file) },
    );
    const [{ plan }, { checkPlaceFiles }] = await Promise.all([
      import('../place/plan.ts'),
      import('../place/trial/check.ts'),
    ]);
    const planned = await plan(place, sources);
    for (const name of planned.missing) terminal.err(`missing: ${name}`);
    for (const { layer, message } of planned.problems) terminal.err(`${layer}: ${message}`);
    if (planned.missing.length + planned.problems.length > 0) {
      if (terminal.json) terminal.out(JSON.stringify({ plan: planned, layers: [], breaches: [] }));
      return 1;
    }
    const stop = interruption('interrupted; nothing was published');
    try {
      const report = await checkPlaceFiles({
        place,
        sources,
        rows: rows === 0 ? null : rows,
        signal: stop.signal,
        progress: line => terminal.interactive && terminal.err(line),
      });
      if (terminal.json) terminal.out(JSON.stringify({ plan: planned, ...report }));
      else {
        for (const line of report.table) terminal.out(line);
        for (const line of report.missed) terminal.err(line);
        terminal.out(
          report.missed.length === 0
            ? `${report.layers.length} layers, no expectation is missed in the rows that were tried`
            : `what was tried of ${place.name} does not meet its expectations`,
        );
      }
      return report.missed.length === 0 ? 0 : 3;
    } finally {
      stop.end();
    }
  },
};
