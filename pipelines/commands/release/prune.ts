import { type Command, UsageError } from '../../../query/engine/command.ts';

const FALLBACK = '2';

/** `plat release prune`: removes old releases and the files that only they name. */
export const releasePruneCommand: Command = {
  name: 'release prune',
  example: 'plat release prune --keep 3 --dry-run',
  summary:
    'Remove old releases and the files that only they name; a release from which a running server answers stays.',
  options: [
    {
      flags: '--keep <n>',
      description: 'Number of other releases to keep: those that the current one was made on first.',
      fallback: FALLBACK,
    },
    { flags: '--dry-run', description: 'Only show what would be removed.' },
  ],
  async run(_args, { keep = FALLBACK, dryRun }, terminal) {
    const count = Number(keep);
    if (!Number.isInteger(count) || count < 0)
      throw new UsageError(`prune: expected --keep as a whole number from 0 on, got ${keep}`);
    const [{ prune }, { takeLock }, { Store }, { readSettings }] = await Promise.all([
      import('../../../query/release/home/prune.ts'),
      import('../../../query/release/home/lock.ts'),
      import('../../../query/release/home/store.ts'),
      import('../../../query/engine/settings.ts'),
    ]);
    const store = new Store(readSettings(process.env).home);
    const lock = takeLock(store.releases, 'prune');
    try {
      const pruned = await prune(store, count, dryRun === true);
      if (terminal.json) terminal.out(JSON.stringify(pruned));
      else {
        for (const id of pruned.removed) terminal.out(`${id} ${dryRun === true ? 'would be removed' : 'removed'}`);
        for (const id of pruned.served) terminal.out(`${id} stays: a running server answers from it`);
        terminal.err(`${(pruned.bytes / 1_048_576).toFixed(1)} MiB, ${pruned.kept.length} releases stay`);
      }
      return 0;
    } finally {
      lock.release();
    }
  },
};

/** `plat ingest prune`: the same command, for who looks for it beside `plat ingest publish`. */
export const ingestPruneCommand: Command = {
  ...releasePruneCommand,
  name: 'ingest prune',
  example: 'plat ingest prune --keep 3 --dry-run',
};
