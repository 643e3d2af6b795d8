import type { Definition, DirectoryLayer } from '../../../datasets/directory/definition.ts';
import { definitionsOf, type SourceDirectory } from '../../../datasets/directory/source-directory.ts';
import { type CountyOfPlace, type SourceLayer, sourceLayer } from './source-layer.ts';
import { Untranslatable } from './untranslatable.ts';

/** Sources of the directory for one county, and those that are left out. */
export interface ChosenSources {
  readonly layers: readonly SourceLayer[];
  readonly left: readonly { readonly what: string; readonly why: string }[];
}

/** Kinds that fill layers, with what fills them. */
const KINDS: readonly DirectoryLayer[] = ['addresses', 'parcels'];

/** Grounds in the order in which they are preferred: a county has its cities, and knows more than its state. */
const SCOPES: readonly Definition['scope'][] = ['county', 'state', 'city'];

/** @throws Untranslatable for a source whose ground is more than the county and cannot be cut to it. */
function withinCounty({ scope }: Definition, kind: DirectoryLayer, { at }: SourceLayer): void {
  if (scope !== 'state') return;
  if (at.via !== 'arcgis') throw new Untranslatable('it is one file of the whole state');
  if (kind === 'parcels')
    throw new Untranslatable('it is of the whole state: a place file of your own says which column holds the county');
}

/**
 * Chooses the sources that cover a county: of each kind those of the county, else those of the state, else those of its cities.
 * Several sources of one ground are all taken, because they are parts of it.
 * @param isOpen takes only data that everybody may use, change and pass on.
 */
export function sourcesOf(
  directory: SourceDirectory,
  of: CountyOfPlace,
  kinds: (kind: DirectoryLayer) => boolean,
  isOpen: boolean,
): ChosenSources {
  const definitions = definitionsOf(directory, of.state, of.county);
  const layers: SourceLayer[] = [];
  const left: { what: string; why: string }[] = [];
  for (const kind of KINDS.filter(kinds)) {
    const chosen = SCOPES.map(scope => {
      const found: SourceLayer[] = [];
      for (const definition of definitions.filter(one => one.scope === scope))
        for (const source of definition.layers[kind] ?? []) {
          const what = `${definition.path} ${kind}/${source.name}`;
          try {
            const layer = sourceLayer(definition, kind, source, of);
            if (!layer) continue;
            withinCounty(definition, kind, layer);
            if (isOpen && layer.licence.closed !== null)
              left.push({ what, why: `its licence is ${layer.licence.closed}: ${layer.licence.text}` });
            else found.push(layer);
          } catch (error) {
            if (!(error instanceof Untranslatable)) throw error;
            left.push({ what, why: error.message });
          }
        }
      return found;
    });
    if (!definitions.some(({ layers: { [kind]: sources = [] } }) => sources.length > 0))
      left.push({ what: kind, why: `${directory.edition.title} names none for this county` });
    const best = chosen.findIndex(found => found.length > 0);
    layers.push(...(chosen[best] ?? []));
    for (const { layer } of chosen.slice(best + 1).flat())
      left.push({ what: layer.file, why: `the sources of the ${SCOPES[best]} have its ground too` });
  }
  return { layers, left };
}
