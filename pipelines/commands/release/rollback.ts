import type { Command } from '../../../query/engine/command.ts';

/** `plat release rollback [release]`: makes an earlier release current again. */
export const releaseRollbackCommand: Command = {
  name: 'release rollback',
  example: 'plat release rollback',
  summary:
    'Make an earlier release current again (by default the one before); running servers open it within a second.',
  args: ['[release]'],
  options: [],
  async run([id], _options, terminal) {
    const [{ rollBack }, { takeLock }, { Store }, { readSettings }] = await Promise.all([
      import('../../release/rollback.ts'),
      import('../../../query/release/home/lock.ts'),
      import('../../../query/release/home/store.ts'),
      import('../../../query/engine/settings.ts'),
    ]);
    const { releases } = new Store(readSettings(process.env).home);
    const lock = takeLock(releases, 'rollback');
    try {
      const { from, to } = await rollBack(releases, id);
      if (terminal.json) terminal.out(JSON.stringify({ from, to }));
      else
        terminal.out(from === to ? `${to} is the current release already` : `${to} is current again, ${from} is not`);
      return 0;
    } finally {
      lock.release();
    }
  },
};

/** `plat ingest rollback [release]`: the same command, for who looks for it beside `plat ingest publish`. */
export const ingestRollbackCommand: Command = {
  ...releaseRollbackCommand,
  name: 'ingest rollback',
  example: 'plat ingest rollback',
};
