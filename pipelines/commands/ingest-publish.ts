import type { Command } from '../../query/engine/command.ts';

/** `plat ingest publish`: publishes the release that `plat ingest run --no-publish` made. */
export const ingestPublishCommand: Command = {
  name: 'ingest publish',
  example: 'plat ingest publish',
  summary: 'Publish the release that plat ingest run --no-publish made; running servers open it within a second.',
  options: [],
  async run(_args, _options, terminal) {
    const [{ publishCandidate }, { takeLock }, { Store }, { readSettings }] = await Promise.all([
      import('../../query/release/home/candidate.ts'),
      import('../../query/release/home/lock.ts'),
      import('../../query/release/home/store.ts'),
      import('../../query/engine/settings.ts'),
    ]);
    const { releases } = new Store(readSettings(process.env).home);
    const lock = takeLock(releases, 'publish');
    try {
      const { id, previous } = await publishCandidate(releases);
      terminal.out(terminal.json ? JSON.stringify({ release: id, previous }) : `published ${id}`);
      return 0;
    } finally {
      lock.release();
    }
  },
};
