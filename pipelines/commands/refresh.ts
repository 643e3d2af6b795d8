import type { Command } from '../../query/engine/command.ts';
import { ingestRunCommand } from './ingest-run.ts';

/** `plat refresh`: ingests again the places whose files are downloaded. */
export const refreshCommand: Command = {
  name: 'refresh',
  summary: 'Ingest again every place whose files were downloaded before; with --due only the datasets that are due.',
  options: [
    { flags: '--due', description: 'Only datasets whose last check is longer ago than their cadence (catalog.md).' },
    { flags: '--dry-run', description: 'Only show what would be refreshed.' },
    { flags: '--threads <n>', description: 'As of plat ingest run.', fallback: '2' },
    { flags: '--no-overlay', description: 'As of plat ingest run.' },
  ],
  async run(_args, { due, dryRun, ...options }, terminal) {
    const [{ dueDatasets, keptFresh }, { readSettings }, { chosenPlace }, { publishedFiles }] = await Promise.all([
      import('../refresh/due.ts'),
      import('../../query/engine/settings.ts'),
      import('./place-option.ts'),
      import('../refresh/published-files.ts'),
    ]);
    const kept = Object.entries(keptFresh(readSettings(process.env).home));
    if (kept.length === 0) terminal.err('No place was ingested whose place file says where its files are published');
    let code = 0;
    const planned: { place: string; datasets: string[] }[] = [];
    for (const [name, how] of kept) {
      const { place, sources } = await chosenPlace({ ...how });
      const datasets = due
        ? dueDatasets(place, sources, new Date())
        : [...new Set(publishedFiles(place).flatMap(file => file.datasets))].filter(dataset => dataset !== 'coverage');
      planned.push({ place: name, datasets });
      if (!terminal.json) terminal.err(`${name}: ${datasets.length === 0 ? 'nothing is due' : datasets.join(', ')}`);
      if (dryRun || datasets.length === 0) continue;
      // A place that fails does not stop the others.
      try {
        code = Math.max(code, await ingestRunCommand.run(datasets, { ...options, ...how }, terminal));
      } catch (error) {
        terminal.err(`${name}: ${(error as Error).message}`);
        code = 1;
      }
    }
    if (terminal.json && dryRun) terminal.out(JSON.stringify(planned));
    return code;
  },
};
