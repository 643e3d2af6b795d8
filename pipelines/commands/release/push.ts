import { type Command, UsageError } from '../../../query/engine/command.ts';
import { requireWhole } from '../../../query/release/pack/pack.ts';
import { manifestIds } from '../../../query/release/published.ts';
import { chosenRelease } from '../chosen-release.ts';

/** `plat release push [release] --store ADDRESS`: a release for other machines. */
export const releasePushCommand: Command = {
  name: 'release push',
  example: 'plat release push --store s3://releases/plat',
  summary: 'Upload what a store lacks of a release (by default the current one) and make it the last one there.',
  args: ['[release]'],
  options: [
    {
      flags: '--store <address>',
      description: 'Where to (required): s3://bucket/prefix, file:///folder, or a folder that others mount.',
    },
    {
      flags: '--queue <url>',
      description:
        'PostgreSQL database (postgres://…) in which each number is a row first; all publishers must name the same.',
    },
  ],
  async run([id], { store: address, queue }, terminal) {
    if (typeof address !== 'string') throw new UsageError('expected --store and s3://bucket/prefix or a folder');
    const { home, releases, manifest } = await chosenRelease(id);
    requireWhole(home, 'push it');
    const [{ pushRelease }, { pushPlaces }, { progressOn }, { openStore }, { connected }, { releaseRows }] =
      await Promise.all([
        import('../../release/push/push-release.ts'),
        import('../../release/push/push-places.ts'),
        import('../../progress.ts'),
        import('../../../query/release/store/open-store.ts'),
        import('../../release/push/database.ts'),
        import('../../release/push/release-rows.ts'),
      ]);
    const store = await openStore(address);
    const ids = new Set([...manifestIds(releases), manifest.previous]);
    const database = typeof queue === 'string' ? await connected(queue) : null;
    const progress = progressOn(terminal);
    const task = progress.start('files', null);
    try {
      const pushed = await pushRelease(
        store,
        releases,
        manifest,
        release => ids.has(release),
        n => task.advance(n),
        database && (await releaseRows(database, store.name)),
      );
      await pushPlaces(store, home, releases);
      task.done(`${pushed.files} uploaded`);
      terminal.out(
        terminal.json
          ? JSON.stringify({ release: manifest.id, store: store.name, ...pushed })
          : `${store.name}: ${manifest.id} is number ${pushed.number}; ${pushed.files} files uploaded, ${(pushed.bytes / 1048576).toFixed(1)} MiB`,
      );
      return 0;
    } finally {
      progress.close();
      await database?.end();
    }
  },
};
