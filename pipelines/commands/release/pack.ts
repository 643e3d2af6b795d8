import { type Command, UsageError } from '../../../query/engine/command.ts';
import { withheldList } from '../../../query/release/withheld/withheld-list.ts';
import { chosenRelease } from '../chosen-release.ts';

/** Layers that are told with their size. */
const MOST_LAYERS = 5;
const MIB = 2 ** 20;

/** `plat pack --area FILE --out FILE`: what of a release answers for an area, in one file. */
export const packCommand: Command = {
  name: 'pack',
  example: 'plat pack --area site.geojson --out site.platpack',
  summary:
    'Make one file of what answers for an area, from which `plat serve --pack` answers on a machine that has nothing else',
  options: [
    {
      flags: '--area <file>',
      description: 'Polygons of the area (required): GeoJSON, KML, a zipped Shapefile or what else an ingest reads.',
    },
    { flags: '--out <file>', description: 'File to make (required); it must not be there yet.' },
    { flags: '--release <id>', description: 'An earlier release that is kept.' },
    {
      flags: '--with-withheld',
      description:
        'Take along the owners that `plat withhold` withholds, with the list that withholds them in answers; without it such a release is not packed.',
    },
  ],
  async run(_args, { area, out, release, withWithheld }, terminal) {
    if (typeof area !== 'string') throw new UsageError('expected --area and a file with the polygons of the area');
    if (typeof out !== 'string') throw new UsageError('expected --out and the file to make');
    const { home, manifest } = await chosenRelease(typeof release === 'string' ? release : undefined);
    if (withheldList(home).stamp !== '' && withWithheld !== true)
      throw new UsageError(
        'owners are withheld (`plat withhold list`), and files of parcels hold them as they were published: --with-withheld packs them all the same, with the list',
      );
    const [{ catalog }, { readArea }, { writePack }, { progressOn }] = await Promise.all([
      import('../../../datasets/catalog.ts'),
      import('../../pack/area.ts'),
      import('../../pack/write.ts'),
      import('../../progress.ts'),
    ]);
    const geometry = await readArea(area);
    const progress = progressOn(terminal);
    const task = progress.start('MiB packed', null);
    try {
      const result = await writePack({
        home,
        manifest,
        area: geometry,
        catalog,
        out,
        progress: done => task.advance(Math.floor(done / MIB)),
      });
      task.done(`${result.files} files`);
      if (terminal.json) terminal.out(JSON.stringify({ release: manifest.id, ...result }));
      else {
        terminal.out(`${result.path}: ${result.files} files of ${manifest.id}, ${(result.bytes / MIB).toFixed(1)} MiB`);
        for (const { layer, km, bytes } of result.layers.slice(0, MOST_LAYERS))
          terminal.out(`  ${layer}: ${(bytes / MIB).toFixed(1)} MiB, ${km} km about the area`);
        terminal.out(`Serve it with: plat serve --pack ${out}`);
      }
      return 0;
    } finally {
      progress.close();
    }
  },
};
