import type { Command } from '../../query/engine/command.ts';
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
    {
      flags: '--accept <key...>',
      description:
        'Publish although this expectation is not met: place/dataset:layer/measure, as a refused ingest prints it; all of a layer without the measure.',
    },
  ],
  async run(_args, options, terminal) {
    const { UsageError } = await import('../../query/engine/command.ts');
    const threads = Number(options.threads ?? 2);
    if (!Number.isInteger(threads) || threads < 0)
      throw new UsageError(`--threads ${options.threads}: expected a whole number from 0`);
    const { place, sources } = await chosenPlace(options);
    const [{ run }, { progressOn }, { readSettings }, { LogFile }, { QualityError, flagOf }, summary] =
      await Promise.all([
        import('../run.ts'),
        import('../progress.ts'),
        import('../../query/engine/settings.ts'),
        import('../log-file.ts'),
        import('../steps/quality/breach.ts'),
        import('./run-summary.ts'),
      ]);
    const { home, memory } = readSettings(process.env);
    const log = new LogFile(home, `ingest-${place.name}`);
    const stop = new AbortController();
    const interrupt = () => stop.abort(new Error('interrupted; nothing was published'));
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);
    try {
      const report = await run({
        home,
        sources,
        place,
        threads,
        progress: progressOn(terminal, log),
        accept: typeof options.accept === 'string' ? options.accept.split(',') : [],
        signal: stop.signal,
        ...(options.overlay === false ? {} : { overlay: { memoryMb: memory } }),
      });
      if (terminal.json) terminal.out(JSON.stringify(report));
      else summary.tellRun(report, log, terminal);
      return 0;
    } catch (error) {
      if (!(error instanceof QualityError)) {
        log.add('', String((error as Error).message));
        throw error;
      }
      const breaches = error.breaches.map(breach => ({ ...breach, flag: flagOf(breach) }));
      if (terminal.json) terminal.out(JSON.stringify({ place: place.name, published: false, breaches }));
      summary.tellBreaches(error, log, terminal);
      return 1;
    } finally {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    }
  },
};
