import type { Place, PlaceFile } from '../../datasets/place/place.ts';
import { places } from '../../datasets/places.ts';
import { expandPlace } from './expand.ts';
import { inherited } from './inherit.ts';
import { checkPlace } from './place-check.ts';
import { builtInSource, PlaceError, type PlaceSource, readFile, readText } from './source.ts';

export { PlaceError };

/** Checks a place and returns it. @throws PlaceError with every problem, each once. */
function checked(source: PlaceSource): Place {
  const problems = checkPlace(source.value);
  if (problems.length > 0)
    throw new PlaceError([...new Set(problems.map(p => source.line(p.path, p.onKey, p.message)))]);
  return expandPlace(source.value as PlaceFile);
}

/**
 * Reads a place from YAML or JSON text, adds what it inherits, checks it against the catalog and returns it.
 * @param file named in errors; `extends` is relative to it.
 * @throws PlaceError with every problem as `file:line:column: what was wrong and what was expected`.
 */
export function parsePlace(text: string, file: string): Place {
  return checked(inherited(readText(text, file), file));
}

/** Reads and checks a place file. @throws PlaceError as parsePlace, or when there is no such file. */
export function readPlaceFile(path: string): Place {
  return checked(inherited(readFile(path), path));
}

/** Returns a place of this build after the same checks. @throws PlaceError naming all places, or its problems. */
export function builtInPlace(name: string): Place {
  const place = places.get(name);
  if (!place)
    throw new PlaceError([
      `No place "${name}"; known: ${[...places.keys()].join(', ')}. A place file of your own: --place-file FILE`,
    ]);
  return checked(builtInSource(`datasets/places/${name}.ts`, place));
}
