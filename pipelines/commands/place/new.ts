import { existsSync, writeFileSync } from 'node:fs';
import { type Command, UsageError } from '../../../query/engine/command.ts';
import type { Settings } from '../../../query/engine/settings.ts';
import type { CountyOfPlace, SourceLayer } from '../../place/new/source-layer.ts';
import type { Wanted } from '../../place/new/wanted.ts';

const list = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map(name => name.trim())
        .filter(name => name !== '')
    : [];

/** Asks publishers what only they tell of a county. */
async function answersOf(of: CountyOfPlace, sources: readonly SourceLayer[], wanted: Wanted, settings: Settings) {
  const [{ askPublishers }, { clientOf }, { layersInPieces }, { catalog }] = await Promise.all([
    import('../../place/new/publisher-answers.ts'),
    import('../../refresh/ingest-place.ts'),
    import('../../place/new/pieces.ts'),
    import('../../../datasets/catalog.ts'),
  ]);
  const client = clientOf(settings, undefined, 1);
  const hasPieces = (placeholder: string) =>
    layersInPieces(catalog, placeholder).some(({ dataset, layer }) => wanted(dataset, layer));
  return askPublishers(of, sources, hasPieces, client).finally(() => client.close());
}

/** `plat place new`: writes a place file for a county from its name. */
export const placeNewCommand: Command = {
  name: 'place new',
  example: 'plat place new 23019 --for flood_risk,parcel --out penobscot.yaml',
  summary:
    'Write a place file for a county of the United States: the layers of the catalog whose published files reach it, and the parcels and addresses that OpenAddresses names for it.',
  args: ['<county>'],
  options: [
    {
      flags: '--for <names>',
      description: 'Only what these presets, fields, datasets or layers need, with commas: flood_risk,parcel.',
    },
    { flags: '--without <names>', description: 'Leave out what these presets, fields, datasets or layers need.' },
    {
      flags: '--licence <kind>',
      description:
        '`open`: of counties, only data that everybody may use, change and pass on; what is share-alike, non-commercial or not stated is left out and named. `any` takes all.',
      fallback: 'any',
    },
    {
      flags: '--offline',
      description:
        'Ask no publisher: what only they tell is left open and named (pieces of the soil survey and of NHDPlus HR, columns of parcels beside the number).',
    },
    { flags: '--name <name>', description: 'Name of the place (default: the county and its state).' },
    { flags: '--out <file>', description: 'Place file to write (default: the name of the place).' },
    { flags: '--force', description: 'Replace an existing place file.' },
  ],
  async run([county = ''], options, terminal) {
    const { licence = 'any' } = options;
    if (licence !== 'open' && licence !== 'any') throw new UsageError(`--licence ${licence}: expected open or any`);
    const [{ countyOf }, { newPlace, newPlaceYaml }, { wantedLayers }, { parsePlace }, { sourcesOf }] =
      await Promise.all([
        import('../../place/new/county.ts'),
        import('../../place/new/place-file.ts'),
        import('../../place/new/wanted.ts'),
        import('../../place/place-schema.ts'),
        import('../../place/new/sources.ts'),
      ]);
    const [{ catalog }, { readDirectory }, { places }, { readSettings }] = await Promise.all([
      import('../../../datasets/catalog.ts'),
      import('../../../datasets/directory/source-directory.ts'),
      import('../../../datasets/places.ts'),
      import('../../../query/engine/settings.ts'),
    ]);
    const of = countyOf(county);
    const wanted = wantedLayers(catalog, list(options.for), list(options.without));
    const settings = readSettings(process.env);
    const directory = readDirectory(settings.home);
    const isOpen = licence === 'open';
    const name = typeof options.name === 'string' ? options.name : null;
    // The synthetic area is published in the columns of the real publishers.
    const template = places.get('synthetic')!;
    const sources = wanted('parcel_store', 'main') ? sourcesOf(directory, of, 'parcels', isOpen).layers : [];
    const answers = options.offline === true ? null : await answersOf(of, sources, wanted, settings);
    const written = newPlace(catalog, template, directory, of, { name, wanted, isOpen, answers });
    const out = typeof options.out === 'string' ? options.out : `${written.place.name}.yaml`;
    if (existsSync(out) && options.force !== true)
      throw new UsageError(`${out} exists; give another --out, or --force to replace it`);
    if (written.place.layers.length === 0)
      throw new UsageError(
        `nothing that was asked for is published for ${of.county}: ${written.left.map(({ what, why }) => `${what}: ${why}`).join('; ')}`,
      );
    const yaml = newPlaceYaml(written, directory, out);
    // The file must be valid: a fault in it is a fault of this command, and is reported as one.
    const place = parsePlace(yaml, out);
    writeFileSync(out, yaml);
    const layers = place.layers.map(({ dataset, layer, file }) => ({ dataset, layer, file }));
    if (terminal.json) {
      const { choice, left } = written;
      terminal.out(JSON.stringify({ out, ...of, name: place.name, choice, layers, left }));
      return 0;
    }
    for (const { dataset, layer, file } of layers) terminal.out(`${dataset}:${layer}  ${file}`);
    terminal.out(written.choice);
    for (const { what, why } of written.left) terminal.err(`left out: ${what}: ${why}`);
    terminal.out(`wrote ${out} with ${layers.length} layers; next: plat ingest plan --place-file ${out}`);
    return 0;
  },
};
