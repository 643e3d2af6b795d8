import type { Definition, DirectoryLayer } from '../../../datasets/directory/definition.ts';
import { definitionsOf, type SourceDirectory } from '../../../datasets/directory/source-directory.ts';
import { type CountyOfPlace, type SourceLayer, sourceLayer } from './source-layer.ts';
import { Untranslatable } from './untranslatable.ts';

/** What is not in a place, and why. */
export interface LeftOut {
  readonly what: string;
  readonly why: string;
}

/** Sources of the directory for one county and one kind, and those that are left out. */
export interface ChosenSources {
  readonly layers: readonly SourceLayer[];
  /** Whose ground they have; null where there are none. */
  readonly scope: Definition['scope'] | null;
  readonly left: readonly LeftOut[];
}

/** Grounds in the order in which they are preferred: a county has its cities, and knows more than its state. */
const SCOPES: readonly Definition['scope'][] = ['county', 'state', 'city'];

/** A source with the cut to the county, where its ground is more. */
const withinCounty = ({ scope }: Definition, source: SourceLayer): SourceLayer =>
  scope === 'state' ? { ...source, layer: { ...source.layer, cut: { outline: true } } } : source;

/**
 * Chooses the sources that cover a county: those of the county, else those of the state, else those of its cities. Several sources
 * of one ground are all taken, because they are parts of it.
 * @param isOpen takes only data that everybody may use, change and pass on.
 */
export function sourcesOf(
  directory: SourceDirectory,
  of: CountyOfPlace,
  kind: DirectoryLayer,
  isOpen: boolean,
): ChosenSources {
  const definitions = definitionsOf(directory, of.state, of.county);
  const left: LeftOut[] = [];
  const chosen = SCOPES.map(scope => {
    const found: SourceLayer[] = [];
    for (const definition of definitions.filter(one => one.scope === scope))
      for (const source of definition.layers[kind] ?? []) {
        const what = `${definition.path} ${kind}/${source.name}`;
        try {
          const layer = sourceLayer(definition, kind, source, of);
          if (!layer) continue;
          if (isOpen && layer.licence.closed !== null)
            left.push({ what, why: `its licence is ${layer.licence.closed}: ${layer.licence.text}` });
          else found.push(withinCounty(definition, layer));
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
  for (const { layer } of chosen.slice(best + 1).flat())
    left.push({ what: layer.file, why: `the sources of the ${SCOPES[best]} have its ground too` });
  return { layers: chosen[best] ?? [], scope: SCOPES[best] ?? null, left };
}
