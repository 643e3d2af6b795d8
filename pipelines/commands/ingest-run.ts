import type { Command } from '../../query/command.ts';
import { overlayLine } from './overlay-line.ts';
import { chosenPlace, PLACE_OPTIONS } from './place-option.ts';

/** `plat ingest run`: reads the published files of a place and publishes a release. */
export const ingestRunCommand: Command = {
  name: 'ingest run',
  summary: 'Ingest the published files of a place into a new release.',
  options: [
    ...PLACE_OPTIONS,
    { flags: '--threads <n>', description: 'Layers built at the same time (0: none but this thread).', fallback: '2' },
    {
      flags: '--no-overlay',
      description:
        'Leave the calculations of parcels to plat ingest overlay; those that the new data changes are absent until then.',
    },
  ],
  async run(_args, options, terminal) {
    const { UsageError } = await import('../../query/command.ts');
    const threads = Number(options.threads ?? 2);
    if (!Number.isInteger(threads) || threads < 0)
      throw new UsageError(`--threads ${options.threads}: expected a whole number from 0`);
    const { place, sources } = await chosenPlace(options);
    const [{ run }, { progressOn }, { readSettings }] = await Promise.all([
      import('../run.ts'),
      import('../progress.ts'),
      import('../../query/settings.ts'),
    ]);
    const stop = new AbortController();
    const interrupt = () => stop.abort(new Error('interrupted; nothing was published'));
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);
    try {
      const { home, memory } = readSettings(process.env);
      const report = await run({
        home,
        sources,
        place,
        threads,
        progress: progressOn(terminal),
        signal: stop.signal,
        ...(options.overlay === false ? {} : { overlay: { memoryMb: memory } }),
      });
      if (terminal.json) terminal.out(JSON.stringify(report));
      else {
        const total = report.counts.reduce((sum, c) => sum + c.read, 0);
        const left = report.counts.reduce((sum, c) => sum + c.rejected, 0);
        const mended = report.counts.reduce((sum, c) => sum + c.repaired, 0);
        for (const r of report.samples) terminal.err(`${r.action}: ${r.file} row ${r.row}: ${r.reason}`);
        terminal.err(`${total} rows read, ${left} rejected, ${mended} repaired, ${report.seconds.toFixed(1)} s`);
        if (report.overlay?.written.length) terminal.err(overlayLine(report.overlay));
        terminal.out(report.changed ? `published ${report.release}` : `nothing changed; ${report.release} stays`);
      }
      return 0;
    } finally {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    }
  },
};
