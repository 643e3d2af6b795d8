import { existsSync, writeFileSync } from 'node:fs';
import { type Command, UsageError } from '../../query/engine/command.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** `plat place init`: writes a place file for published files. */
export const placeInitCommand: Command = {
  name: 'place init',
  example: 'plat place init ../county/parcels.zip ../county/zoning.gdb --county 23019 --out county.yaml',
  summary:
    'Read published files and write a place file for them. Layers, CRS, keys, joins and columns are guesses; each is marked with how sure it is.',
  args: ['<files...>'],
  options: [
    {
      flags: '--sources <dir>',
      description:
        'Folder to which the paths of the place file are relative (default: the deepest folder that holds all files).',
    },
    { flags: '--name <name>', description: 'Name of the place (default: the name of the folder).' },
    { flags: '--state <code>', description: 'Two-letter code of the state, if the files do not say it.' },
    { flags: '--county <fips>', description: 'Five-digit FIPS code of the county, if the files do not say it.' },
    { flags: '--out <file>', description: 'Place file to write.', fallback: 'place.yaml' },
    { flags: '--force', description: 'Replace an existing place file.' },
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
    // The file must be valid: a fault in it is a fault of this command, and is reported as one.
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
