import { type Command, UsageError } from '../../query/engine/command.ts';
import { overlayMemoryMb } from '../overlay/memory.ts';
import { chosenRelease } from './chosen-release.ts';

/** `plat ingest remove PLACE`: publishes a release without the files of a place. */
export const ingestRemoveCommand: Command = {
  name: 'ingest remove',
  example: 'plat ingest remove bangor-me',
  summary: 'Publish a release without the files of a place; files of the whole country and of other places stay.',
  args: ['<place>'],
  options: [
    { flags: '--no-publish', description: 'Same as for plat ingest run.' },
    { flags: '--no-overlay', description: 'Same as for plat ingest run.' },
  ],
  async run([name], { publish, overlay }, terminal) {
    const { home, manifest } = await chosenRelease(undefined);
    const { NATIONAL } = await import('../release/manifest.ts');
    const layers = Object.values(manifest.datasets).flatMap(ofDataset => Object.values(ofDataset));
    const parts = layers
      .flatMap(({ partitions }) => partitions)
      .flatMap(({ key, ...whole }) => (whole.parts ?? [whole]).map(({ place, county }) => ({ key, place, county })))
      .filter(({ place }) => place !== NATIONAL);
    const own = parts.find(({ place }) => place === name);
    if (!own) {
      const places = [...new Set(parts.map(({ place }) => place))].sort().join(', ');
      throw new UsageError(`${name} is no place of release ${manifest.id}; it has ${places}`);
    }
    const [{ run }, { LogFile }, { progressOn }, { readSettings }, { forgetFresh }] = await Promise.all([
      import('../run.ts'),
      import('../log-file.ts'),
      import('../progress.ts'),
      import('../../query/engine/settings.ts'),
      import('../refresh/due.ts'),
    ]);
    const log = new LogFile(home, `remove-${name}`);
    const { memory } = readSettings(process.env);
    const report = await run({
      home,
      // No file of this folder is read.
      sources: home,
      place: {
        name: name!,
        title: name!,
        state: own.key.split('/')[0]!,
        county: parts.find(({ place, county }) => place === name && county)?.county ?? '',
        coverage: { everywhere: true },
        layers: [],
      },
      removes: true,
      threads: 0,
      progress: progressOn(terminal, log),
      publish: publish !== false,
      ...(overlay === false ? {} : { overlay: { memoryMb: overlayMemoryMb(memory) } }),
    });
    forgetFresh(home, name!);
    if (terminal.json) terminal.out(JSON.stringify(report));
    else terminal.out(`${publish === false ? 'made' : 'published'} ${report.release} without ${name}`);
    return 0;
  },
};
