import type { Command } from '../../../query/engine/command.ts';
import { chosenRelease } from '../chosen-release.ts';

/** `plat release stac [release]`: writes a STAC catalog of a release. */
export const releaseStacCommand: Command = {
  name: 'release stac',
  example: 'plat release stac > collection.json',
  summary:
    'Write a STAC catalog of a release (by default the current one) and a collection for each layer over its stored files.',
  args: ['[release]'],
  options: [],
  async run([id], _options, terminal) {
    const { releases, manifest } = await chosenRelease(id);
    const { writeStac } = await import('../../release/export/write-stac.ts');
    const { catalog, collections } = await writeStac(releases, manifest);
    terminal.out(
      terminal.json
        ? JSON.stringify({ release: manifest.id, catalog, collections })
        : `${catalog}: ${collections} collections of ${manifest.id}`,
    );
    return 0;
  },
};
