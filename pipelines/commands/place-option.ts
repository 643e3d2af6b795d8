import type { Place } from '../../datasets/place/place.ts';
import { type Option, UsageError } from '../../query/engine/command.ts';

/** The options by which ingest commands are told what to read. */
export const PLACE_OPTIONS: readonly Option[] = [
  { flags: '--sources <dir>', description: 'Folder of the published files that the place names.' },
  { flags: '--place <name>', description: 'A place of this build, for example bangor-me.' },
  { flags: '--place-file <file>', description: 'A place of your own, YAML or JSON.' },
];

/**
 * The sources folder and the place that were asked for.
 * @throws UsageError when one is missing or two places are named, PlaceError when the place is not valid.
 */
export async function chosenPlace(
  options: Readonly<Record<string, string | boolean | undefined>>,
): Promise<{ place: Place; sources: string }> {
  const { sources, place, placeFile } = options;
  if (typeof sources !== 'string') throw new UsageError('--sources DIR is missing: the folder of the published files');
  if ((place === undefined) === (placeFile === undefined))
    throw new UsageError('Expected one of --place NAME and --place-file FILE');
  const { builtInPlace, readPlaceFile } = await import('../place/place-schema.ts');
  return { sources, place: typeof placeFile === 'string' ? readPlaceFile(placeFile) : builtInPlace(String(place)) };
}
