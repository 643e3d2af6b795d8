import type { Place } from '../../datasets/place/place.ts';
import { type Option, UsageError } from '../../query/engine/command.ts';
import { withNearest } from '../../query/format/name/nearest-names.ts';

type Given = Readonly<Record<string, string | boolean | undefined>>;

/** The options that tell ingest commands what to read. */
export const PLACE_OPTIONS: readonly Option[] = [
  {
    flags: '--sources <dir>',
    description:
      'Folder of the published files of the place: nothing is downloaded then. Without it, files are downloaded to PLAT_HOME/sources/PLACE.',
  },
  { flags: '--place <name>', description: 'A place of this build, for example bangor-me.' },
  { flags: '--place-file <file>', description: 'A place of your own, YAML or JSON.' },
];

/** The option of commands that take several places. */
export const STATE_OPTION: Option = {
  flags: '--state <code>',
  description: 'Every place of this build in a state, for example ME, whose files are downloaded.',
};

/** A place and the folder of its files. */
export interface Chosen {
  readonly place: Place;
  readonly sources: string;
  /** False where the folder was named: it holds what there is. */
  readonly downloads: boolean;
}

async function sourcesOf(place: Place, sources: unknown): Promise<string> {
  if (typeof sources === 'string') return sources;
  if (Object.keys(place.files ?? {}).length === 0)
    throw new UsageError('--sources DIR is missing: the folder of the published files');
  const [{ readSettings }, { join }] = await Promise.all([
    import('../../query/engine/settings.ts'),
    import('node:path'),
  ]);
  return join(readSettings(process.env).home, 'sources', place.name);
}

/**
 * Returns the sources folder and the place that the options name.
 * @throws UsageError when one is missing or two places are named, PlaceError when the place is not valid.
 */
export async function chosenPlace({ sources, place, placeFile }: Given): Promise<Chosen> {
  if (place === undefined && placeFile === undefined && typeof sources !== 'string')
    throw new UsageError('--sources DIR is missing: the folder of the published files');
  if ((place === undefined) === (placeFile === undefined))
    throw new UsageError('Expected one of --place NAME and --place-file FILE');
  const { builtInPlace, readPlaceFile } = await import('../place/place-schema.ts');
  const chosen = typeof placeFile === 'string' ? readPlaceFile(placeFile) : builtInPlace(String(place));
  return { place: chosen, sources: await sourcesOf(chosen, sources), downloads: typeof sources !== 'string' };
}

/**
 * Returns the places that the options name: one, or all of a state.
 * @throws UsageError as chosenPlace, and when no place of the state has files to download.
 */
export async function chosenPlaces(options: Given): Promise<Chosen[]> {
  const { state, place, placeFile, sources } = options;
  if (state === undefined) return [await chosenPlace(options)];
  if (place !== undefined || placeFile !== undefined)
    throw new UsageError('Expected one of --state CODE, --place NAME and --place-file FILE');
  const [{ places }, { builtInPlace }] = await Promise.all([
    import('../../datasets/places.ts'),
    import('../place/place-schema.ts'),
  ]);
  const found = [...places.values()].filter(
    p => p.state === state && (typeof sources === 'string' || Object.keys(p.files ?? {}).length > 0),
  );
  if (found.length === 0)
    throw new UsageError(
      `--state ${state}: no place of this build in that state names where its files are published; with --sources DIR all of the state are read from there`,
    );
  return Promise.all(
    found.map(async ({ name }) => {
      const own = builtInPlace(name);
      return { place: own, sources: await sourcesOf(own, sources), downloads: typeof sources !== 'string' };
    }),
  );
}

/** @throws UsageError when a name is not a dataset of the catalog. */
export async function requireDatasets(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const { catalog } = await import('../../datasets/catalog.ts');
  const unknown = names.filter(name => !catalog.datasets.has(name));
  if (unknown.length === 0) return;
  throw new UsageError(
    `No datasets of the catalog: ${withNearest(unknown, catalog.datasets.keys())}; docs/catalog.md lists them`,
  );
}
