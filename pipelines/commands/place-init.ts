import { existsSync, writeFileSync } from 'node:fs';
import { type Command, UsageError } from '../../query/engine/command.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** `plat place init`: a place file out of published files. */
export const placeInitCommand: Command = {
  name: 'place init',
  summary:
    'Read published files and write a place file for them: layers, CRS, keys, joins and columns are guessed, and every guess is marked with how sure it is.',
  args: ['<files...>'],
  options: [
    {
      flags: '--sources <dir>',
      description: 'Folder that the place file names its files below (default: the deepest that holds all).',
    },
    { flags: '--name <name>', description: 'Name of the place (default: of the folder).' },
    { flags: '--state <code>', description: 'Two letters of the state, where the files do not say it.' },
    { flags: '--county <fips>', description: 'Five-digit FIPS code of the county, where the files do not say it.' },
    { flags: '--out <file>', description: 'Place file to write.', fallback: 'place.yaml' },
    { flags: '--force', description: 'Replace a place file that is there.' },
  ],
  async run(args, options, terminal) {
    const out = text(options.out) ?? 'place.yaml';
    if (existsSync(out) && options.force !== true)
      throw new UsageError(`${out} exists; give another --out, or --force to replace it`);
    const [{ initPlace }, { placeYaml }, { parsePlace }] = await Promise.all([
      import('../place/init/init.ts'),
      import('../place/init/write.ts'),
      import('../place/place-schema.ts'),
    ]);
    const result = await initPlace({
      files: args,
      sources: text(options.sources),
      name: text(options.name),
      state: text(options.state)?.toUpperCase() ?? null,
      county: text(options.county),
      progress: line => terminal.err(line),
    });
    const yaml = placeYaml(result, out);
    // What is written is valid: a fault in it would be one of this command, and is said as such.
    parsePlace(yaml, out);
    writeFileSync(out, yaml);
    const layers = result.layers.map(layer => ({
      dataset: layer.dataset,
      layer: layer.layer,
      file: layer.sample.file,
      rows: layer.sample.rows,
      score: layer.score,
      why: layer.why,
      joins: layer.joins,
      columns: [...layer.columns.values()],
    }));
    if (terminal.json) {
      const { name, sources, area, coverage, left, unread } = result;
      terminal.out(JSON.stringify({ out, name, sources, area, coverage, layers, left, unread }));
      return 0;
    }
    for (const { dataset, layer, file, score, columns } of layers)
      terminal.out(`${score.toFixed(2)}  ${file} → ${dataset}:${layer}, ${columns.length} columns`);
    for (const { file, why } of result.left) terminal.err(`in no layer: ${file}: ${why}`);
    for (const { file, reason } of result.unread) terminal.err(`could not be read: ${file}: ${reason}`);
    terminal.out(`wrote ${out}; next: plat place check --sources ${result.sources} --place-file ${out}`);
    return 0;
  },
};
