import type { Command } from '../../query/engine/command.ts';
import { overlayMemoryMb } from '../overlay/memory.ts';
import { overlayLine, tilesLine } from './count-lines.ts';
import { interruption } from './interruption.ts';
import { MACHINES_OPTIONS, machinesOf } from './machines-option.ts';

/** `plat ingest overlay`: computes what the current release lacks of the calculations of parcels, and of the map. */
export const ingestOverlayCommand: Command = {
  name: 'ingest overlay',
  example: 'plat ingest overlay --threads 2',
  summary:
    'Compute the missing and stale calculations of every parcel, draw the missing map layers, and publish a release with them.',
  options: [
    { flags: '--threads <n>', description: 'Threads that compute (0: none but this one).', fallback: '2' },
    ...MACHINES_OPTIONS,
  ],
  async run(_args, options, terminal) {
    const { UsageError } = await import('../../query/engine/command.ts');
    const threads = Number(options.threads ?? 2);
    if (!Number.isInteger(threads) || threads < 0)
      throw new UsageError(`--threads ${options.threads}: expected a whole number from 0`);
    const [{ runOverlay }, { progressOn }, { readSettings }] = await Promise.all([
      import('../overlay/run.ts'),
      import('../progress.ts'),
      import('../../query/engine/settings.ts'),
    ]);
    const stop = interruption('interrupted; nothing was published, finished blocks are kept', threads === 0);
    const machines = await machinesOf(options, terminal);
    try {
      const { home, memory } = readSettings(process.env);
      const report = await runOverlay({
        home,
        threads,
        memoryMb: overlayMemoryMb(memory),
        progress: progressOn(terminal),
        signal: stop.signal,
        ...(machines ? { machines } : {}),
      });
      if (terminal.json) terminal.out(JSON.stringify(report));
      else {
        const { tiles } = report;
        if (tiles.made.length + tiles.failed.length > 0) terminal.err(tilesLine(tiles));
        terminal.err(overlayLine(report));
        terminal.out(report.changed ? `published ${report.release}` : `nothing to compute; ${report.release} stays`);
      }
      return 0;
    } finally {
      await machines?.board.close();
      stop.end();
    }
  },
};
