import type { Command, Terminal } from '../../query/engine/command.ts';
import { overlayMemoryMb } from '../overlay/memory.ts';
import type { Machines } from '../tasks/machines.ts';
import { INTERRUPTED, interruption } from './interruption.ts';
import { MACHINES_OPTIONS, machinesOf } from './machines-option.ts';
import { type Chosen, chosenPlaces, PLACE_OPTIONS, requireDatasets, STATE_OPTION } from './place-option.ts';

type Given = Readonly<Record<string, string | boolean | undefined>>;

/** Ingests one place and prints how it ended. @returns the exit code. */
async function ingestOne(
  { place, sources, downloads }: Chosen,
  datasets: readonly string[],
  options: Given,
  terminal: Terminal,
  signal: AbortSignal,
  machines: Machines | null,
) {
  const [
    { clientOf, ingestPlace },
    { progressOn },
    { readSettings },
    { LogFile },
    breach,
    summary,
    { Journal },
    { keepFresh },
    { groundLines },
  ] = await Promise.all([
    import('../refresh/ingest-place.ts'),
    import('../progress.ts'),
    import('../../query/engine/settings.ts'),
    import('../log-file.ts'),
    import('../steps/quality/breach.ts'),
    import('./run-summary.ts'),
    import('../refresh/journal.ts'),
    import('../refresh/due.ts'),
    import('./count-lines.ts'),
  ]);
  const { QualityError, flagOf } = breach;
  const { LockedError } = await import('../../query/release/home/lock.ts');
  const settings = readSettings(process.env);
  const { home, memory } = settings;
  const log = new LogFile(home, `ingest-${place.name}`);
  const client = clientOf(settings, line => log.add(line));
  // The address of the queue may hold a password: what resumes the run names it again.
  const { queue: _, ...told } = options;
  const journal = new Journal(home, { datasets, options: told });
  try {
    const report = await ingestPlace({
      home,
      sources,
      place,
      client: downloads ? client : null,
      datasets,
      since: typeof options.since === 'string' ? options.since : undefined,
      threads: Number(options.threads ?? 2),
      progress: journal.over(progressOn(terminal, log)),
      publish: options.publish !== false,
      accept: typeof options.accept === 'string' ? options.accept.split(',') : [],
      signal,
      began: () => journal.begin(),
      ...(options.overlay === false ? {} : { overlay: { memoryMb: overlayMemoryMb(memory) } }),
      ...(machines ? { machines } : {}),
    });
    if (downloads && Object.keys(place.files ?? {}).length > 0) {
      const { placeFile } = options;
      const { resolve } = await import('node:path');
      const how = typeof placeFile === 'string' ? { placeFile: resolve(placeFile) } : { place: place.name };
      await keepFresh(home, place.name, { ...how, sources: resolve(sources) });
    }
    journal.end('done', report.release, report.changed, groundLines(report.counts));
    if (terminal.json) terminal.out(JSON.stringify(report));
    else summary.tellRun(report, log, terminal, options.publish !== false);
    return 0;
  } catch (error) {
    if (!(error instanceof LockedError)) journal.end('failed', (error as Error).message);
    if (!(error instanceof QualityError)) {
      log.add('', String((error as Error).message));
      throw error;
    }
    const breaches = error.breaches.map(breach => ({ ...breach, flag: flagOf(breach) }));
    if (terminal.json) terminal.out(JSON.stringify({ place: place.name, published: false, breaches }));
    summary.tellBreaches(error, log, terminal);
    return 1;
  } finally {
    await client.close();
  }
}

/** `plat ingest run`: reads the published files of a place and publishes a release. */
export const ingestRunCommand: Command = {
  name: 'ingest run',
  example: 'plat ingest run --sources ../county --place bangor-me',
  summary: 'Download the new published files of a place, and ingest what they change into a new release.',
  args: ['[datasets...]'],
  options: [
    ...PLACE_OPTIONS,
    STATE_OPTION,
    {
      flags: '--since <date>',
      description: 'Keep held files that their publisher last changed before this day (YYYY-MM-DD).',
    },
    { flags: '--no-publish', description: 'Make the release but do not publish it; plat ingest publish does that.' },
    { flags: '--threads <n>', description: 'Layers built at the same time (0: none but this thread).', fallback: '2' },
    {
      flags: '--no-overlay',
      description:
        'Do not compute the calculations of parcels; those that the new data change are absent until plat ingest overlay.',
    },
    ...MACHINES_OPTIONS,
    {
      flags: '--accept <key...>',
      description:
        'Publish although this expectation is not met: place/dataset:layer/measure, as a refused ingest prints it. Without the measure, every expectation of the layer.',
    },
  ],
  async run(datasets, options, terminal) {
    const { UsageError } = await import('../../query/engine/command.ts');
    const threads = Number(options.threads ?? 2);
    if (!Number.isInteger(threads) || threads < 0)
      throw new UsageError(`--threads ${options.threads}: expected a whole number from 0`);
    if (typeof options.since === 'string' && !(/^\d{4}-\d\d-\d\d$/.test(options.since) && Date.parse(options.since)))
      throw new UsageError(`--since ${options.since}: expected a day as YYYY-MM-DD`);
    await requireDatasets(datasets);
    const chosen = await chosenPlaces(options);
    const stop = interruption(INTERRUPTED, threads === 0);
    const machines = await machinesOf(options, terminal);
    try {
      let code = 0;
      for (const one of chosen)
        code = Math.max(code, await ingestOne(one, datasets, options, terminal, stop.signal, machines));
      return code;
    } finally {
      await machines?.board.close();
      stop.end();
    }
  },
};
