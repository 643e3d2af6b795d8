import type { Manifest, ReleaseFile } from '../../../datasets/release.ts';
import type { Command } from '../../../query/engine/command.ts';

/** `plat release list`: lists the releases of PLAT_HOME in the order in which they became current. */
export const releaseListCommand: Command = {
  name: 'release list',
  example: 'plat release list',
  summary: 'List the releases in the order in which they became current; the current one is marked.',
  options: [],
  async run(_args, _options, terminal) {
    const [{ currentId, readManifest, releaseIds }, { filesOf, Store }, { readSettings }] = await Promise.all([
      import('../../../query/release/home/releases.ts'),
      import('../../../query/release/home/store.ts'),
      import('../../../query/engine/settings.ts'),
    ]);
    const { releases } = new Store(readSettings(process.env).home);
    const current = currentId(releases);
    const damaged: string[] = [];
    const rows = releaseIds(releases).flatMap(id => {
      let manifest: Manifest;
      let files: readonly ReleaseFile[];
      try {
        manifest = readManifest(releases, id);
        files = filesOf(manifest);
      } catch (error) {
        damaged.push((error as Error).message);
        return [];
      }
      return {
        id,
        current: id === current,
        createdAt: manifest.createdAt,
        places: [...new Set((manifest.counts ?? manifest.ingests).map(({ place }) => place))],
        layers: Object.values(manifest.datasets).reduce((sum, l) => sum + Object.keys(l).length, 0),
        files: files.length,
        bytes: files.reduce((sum, f) => sum + f.bytes, 0),
      };
    });
    if (terminal.json) terminal.out(JSON.stringify(rows));
    else if (rows.length === 0 && damaged.length === 0)
      terminal.err(`No release in ${releases}; make one with plat ingest run`);
    else
      for (const r of rows)
        terminal.out(
          `${r.current ? '*' : ' '} ${r.id}  ${r.createdAt}  ${r.places.join(', ')}  ${r.layers} layers, ${r.files} files, ${(r.bytes / 1048576).toFixed(1)} MiB`,
        );
    for (const problem of damaged) terminal.err(problem);
    if (current !== null && !rows.some(r => r.current))
      terminal.err(`${releases}/current names ${current}, which is not among the releases that can be read`);
    return damaged.length > 0 ? 3 : 0;
  },
};
