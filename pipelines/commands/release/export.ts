import { resolve } from 'node:path';
import { type Command, UsageError } from '../../../query/engine/command.ts';
import { requireWhole } from '../../../query/release/pack/pack.ts';
import { withheldList } from '../../../query/release/withheld/withheld-list.ts';
import { chosenRelease } from '../chosen-release.ts';

/** `plat release export [release] --out FOLDER`: copies a release as plain files for other programs. */
export const releaseExportCommand: Command = {
  name: 'release export',
  example: 'plat release export --out ./layers --state ME',
  summary:
    'Copy a release (by default the current one) as hive-partitioned FlatGeobuf, GeoParquet and GeoTIFF with a STAC catalog.',
  args: ['[release]'],
  options: [
    { flags: '--out <folder>', description: 'Folder to make (required); it must be empty or not exist yet.' },
    { flags: '--state <code>', description: 'Only data of this state and of the whole country.' },
    {
      flags: '--with-withheld',
      description:
        'Copy parcels with the owners that `plat withhold` withholds in answers; without it such a release is not copied.',
    },
  ],
  async run([id], { out, state, withWithheld }, terminal) {
    if (typeof out !== 'string') throw new UsageError('expected --out and the folder to make');
    if (typeof state === 'string' && !/^[A-Z]{2}$/.test(state))
      throw new UsageError(`--state ${state}: expected a two-letter state code`);
    const { home, releases, manifest } = await chosenRelease(id);
    requireWhole(home, 'export it');
    if (withheldList(home).stamp !== '' && withWithheld !== true)
      throw new UsageError(
        'owners are withheld (`plat withhold list`), and files of parcels hold them as they were published: --with-withheld copies them all the same',
      );
    const [{ exportRelease }, { progressOn }] = await Promise.all([
      import('../../release/export/export-release.ts'),
      import('../../progress.ts'),
    ]);
    const progress = progressOn(terminal);
    const task = progress.start('files', null);
    try {
      const folder = resolve(out);
      const result = await exportRelease(manifest, {
        releases,
        out: folder,
        state: typeof state === 'string' ? state : undefined,
        progress: done => task.advance(done),
      });
      task.done(`${result.files} copied`);
      if (terminal.json) terminal.out(JSON.stringify({ release: manifest.id, folder, ...result }));
      else
        terminal.out(
          `${folder}: ${result.files} files of ${manifest.id}, ${(result.bytes / 1048576).toFixed(1)} MiB, ${result.collections} collections`,
        );
      return 0;
    } finally {
      progress.close();
    }
  },
};
