import { join } from 'node:path';
import type { Command, Terminal } from '../../query/engine/command.ts';
import type { Settings } from '../../query/engine/settings.ts';
import type { PlacesReport } from '../places-run.ts';
import type { RefreshedPlace } from '../refresh/refresh-places.ts';
import type { RefreshPlan, RefreshReport } from '../refresh/report.ts';
import type { Machines } from '../tasks/machines.ts';
import { INTERRUPTED, interruption } from './interruption.ts';
import { MACHINES_OPTIONS, machinesOf } from './machines-option.ts';

/** Exit codes: every place is as its publishers have it, none is, some are. */
const [ALL, NONE, SOME] = [0, 1, 3] as const;

function codeOf({ places, failures }: Pick<PlacesReport, 'places' | 'failures'>): RefreshReport['code'] {
  if (failures.length === 0 && places.every(({ stale }) => stale.length === 0)) return ALL;
  return places.length === 0 ? NONE : SOME;
}

/** What failed, as lines for people. */
const failureLines = ({ places, failures }: Pick<PlacesReport, 'places' | 'failures'>): string[] => [
  ...places.flatMap(({ place, stale }) =>
    stale.map(({ layer, since, why }) => `${place}: ${layer} stays as of ${since ?? 'never'}: ${why}`),
  ),
  ...places.flatMap(({ place, left }) => left.map(({ file, why }) => `${place}: ${file} is left out: ${why}`)),
  ...failures.map(({ place, error }) => `${place}: ${(error as Error).message}`),
];

/** `plat refresh`: ingests again the places whose files are downloaded. */
export const refreshCommand: Command = {
  name: 'refresh',
  example: 'plat refresh --due',
  summary:
    'Ingest again every place whose files were downloaded before, into one release; with --due only the files that are due. Exit code 0: all are up to date, 3: some places or layers failed and stay as they were, 1: none was ingested.',
  options: [
    { flags: '--due', description: 'Only files whose last check is longer ago than their cadence (catalog.md).' },
    { flags: '--dry-run', description: 'Only show what would be refreshed.' },
    {
      flags: '--schema',
      description: 'Only print the JSON Schema of what --json prints; with --dry-run of what that prints.',
    },
    { flags: '--threads <n>', description: 'Same as for plat ingest run.', fallback: '2' },
    { flags: '--no-overlay', description: 'Same as for plat ingest run.' },
    ...MACHINES_OPTIONS,
  ],
  async run(_args, { due, dryRun, schema, threads = '2', overlay, accept, queue, store }, terminal) {
    const shapes = await import('../refresh/report.ts');
    if (schema) {
      terminal.out(
        JSON.stringify(dryRun ? shapes.RefreshPlan : shapes.RefreshReport, null, terminal.json ? undefined : 2),
      );
      return ALL;
    }
    const [
      { datasetsOf, dueFiles, keptFresh },
      { readSettings },
      { chosenPlace },
      { publishedFiles },
      { PlaceBook },
      { currentId },
    ] = await Promise.all([
      import('../refresh/due.ts'),
      import('../../query/engine/settings.ts'),
      import('./place-option.ts'),
      import('../refresh/published-files.ts'),
      import('../refresh/place-book.ts'),
      import('../../query/release/home/releases.ts'),
    ]);
    const settings = readSettings(process.env);
    const { home } = settings;
    const kept = Object.entries(keptFresh(home));
    if (kept.length === 0) terminal.err('No place was ingested whose place file says where its files are published');
    const wanted: RefreshedPlace[] = [];
    const planned: RefreshPlan = [];
    const unread: { place: string; error: unknown }[] = [];
    for (const [name, how] of kept)
      try {
        const { place, sources } = await chosenPlace({ ...how });
        const files = due ? dueFiles(place, sources, new Date()) : publishedFiles(place);
        const datasets = datasetsOf(files);
        planned.push({ place: name, datasets });
        if (!terminal.json) terminal.err(`${name}: ${datasets.length === 0 ? 'nothing is due' : datasets.join(', ')}`);
        if (datasets.length > 0) wanted.push({ place, sources, files, datasets });
      } catch (error) {
        // A place file that cannot be read any more does not stop the others.
        unread.push({ place: name, error });
      }
    if (dryRun) {
      if (terminal.json) terminal.out(JSON.stringify(planned));
      for (const line of failureLines({ places: [], failures: unread })) terminal.err(line);
      return unread.length === 0 ? ALL : unread.length < kept.length ? SOME : NONE;
    }
    new PlaceBook(home).placeFiles(
      planned.map(({ place }) => place),
      new Map(unread.map(({ place, error }) => [place, (error as Error).message])),
    );
    if (wanted.length === 0 && !terminal.json)
      for (const line of failureLines({ places: [], failures: unread })) terminal.err(line);
    const report =
      wanted.length === 0
        ? null
        : await refreshed(
            home,
            wanted,
            unread,
            { threads: Number(threads), due, overlay, accept, settings, machines: { queue, store } },
            terminal,
          );
    const current = currentId(join(home, 'releases'));
    const ended = report ?? { release: current, changed: false, places: [], failures: unread };
    // Places of which nothing was due are up to date.
    const idle = planned.length - wanted.length;
    const code = codeOf(ended) === NONE && idle > 0 ? SOME : codeOf(ended);
    if (terminal.json)
      terminal.out(
        JSON.stringify(
          shapes.reportOf(ended, code, (await import('../../query/release/home/place-states.ts')).placeStates(home)),
        ),
      );
    return code;
  },
};

async function refreshed(
  home: string,
  places: readonly RefreshedPlace[],
  unread: readonly { place: string; error: unknown }[],
  {
    threads,
    due,
    overlay,
    accept,
    settings,
    machines: told,
  }: {
    readonly threads: number;
    readonly due: string | boolean | undefined;
    readonly overlay: string | boolean | undefined;
    readonly accept: string | boolean | undefined;
    readonly settings: Settings;
    /** Addresses of the queue and the store, where workers do the work. */
    readonly machines: Parameters<typeof machinesOf>[0];
  },
  terminal: Terminal,
): Promise<PlacesReport> {
  const [{ clientOf }, { refreshPlaces }, { progressOn }, { LogFile }, { Journal }, { groundLines }, memory] =
    await Promise.all([
      import('../refresh/ingest-place.ts'),
      import('../refresh/refresh-places.ts'),
      import('../progress.ts'),
      import('../log-file.ts'),
      import('../refresh/journal.ts'),
      import('./count-lines.ts'),
      import('../overlay/memory.ts'),
    ]);
  const log = new LogFile(home, 'refresh');
  const client = clientOf(settings, line => log.add(line));
  const journal = new Journal(home, {
    command: 'refresh',
    datasets: [],
    options: { ...(due === true ? { due } : {}), threads: String(threads), overlay },
  });
  const stop = interruption(INTERRUPTED, threads === 0);
  let machines: Machines | null = null;
  try {
    machines = await machinesOf(told, terminal);
    const report = await refreshPlaces({
      ...{ home, places, client, threads, signal: stop.signal },
      progress: journal.over(progressOn(terminal, log)),
      began: () => journal.begin(),
      accept: typeof accept === 'string' ? accept.split(',') : [],
      ...(machines ? { machines } : {}),
      ...(overlay === false ? {} : { overlay: { memoryMb: memory.overlayMemoryMb(settings.memory) } }),
    });
    const all = { ...report, failures: [...unread, ...report.failures] };
    const failures = failureLines(all);
    const outcome = report.release ?? 'no release';
    const counted = groundLines(report.places.flatMap(({ counts }) => counts));
    journal.end(report.places.length === 0 ? 'failed' : 'done', outcome, report.changed, [...failures, ...counted]);
    const end = report.changed ? `published ${outcome}` : `nothing changed; ${outcome} stays`;
    const of = `${report.places.length} of ${places.length + unread.length} places refreshed`;
    const lines = [...failures, failures.length === 0 ? of : `${of}, ${failures.length} failures`];
    log.add('', ...lines, end);
    if (!terminal.json) {
      for (const line of [...lines, log.line]) terminal.err(line);
      terminal.out(end);
    }
    return all;
  } catch (error) {
    const { LockedError } = await import('../../query/release/home/lock.ts');
    if (!(error instanceof LockedError)) journal.end('failed', (error as Error).message);
    log.add('', String((error as Error).message));
    throw error;
  } finally {
    await client.close();
    await machines?.board.close();
    stop.end();
  }
}
