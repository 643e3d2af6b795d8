import { countyName } from '../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { fileWords } from '../../../datasets/directory/coverage.ts';
import type { Definition, DirectoryLayer, DirectorySource } from '../../../datasets/directory/definition.ts';
import { definitionsOf, type SourceDirectory } from '../../../datasets/directory/source-directory.ts';
import { type CountyOfPlace, type SourceLayer, sourceLayer } from './source-layer.ts';
import { Untranslatable } from './untranslatable.ts';
import type { Wanted } from './wanted.ts';

/** What is not in a place, and why. */
export interface LeftOut {
  readonly what: string;
  readonly why: string;
}

/** Sources of the directory for one county and one kind, and those that are left out. */
export interface ChosenSources {
  readonly layers: readonly SourceLayer[];
  /** Whose ground they have; null where there are none. */
  readonly scope: GroundOfSource | null;
  readonly left: readonly LeftOut[];
}

/** Whose ground a source has; that of a region is several counties. */
export type GroundOfSource = Exclude<Definition['scope'], 'nation'> | 'region';

/** Grounds in the order in which they are preferred: a county has its cities, and knows more than its region and its state. */
const GROUNDS: readonly GroundOfSource[] = ['county', 'region', 'state', 'city'];

const groundOf = ({ scope, counties }: Definition) => (scope === 'county' && counties.length > 1 ? 'region' : scope);

/** Outlines of the cities of a state (Census Bureau). */
const placesOf = ({ state }: CountyOfPlace) => `census_tiger/${state.toLowerCase()}/place.shp.zip`;

const title = (words: string) => words.replace(/(?<![A-Za-z])[a-z]/g, letter => letter.toUpperCase());

/**
 * Which outline is that of a city: that of its code, where it has the city's name too. A code that is mistyped is that of another
 * city, whose outline must not be taken. Names are mistyped too, or in small letters, so that of the file counts beside.
 */
function outlineOf({ place, city, path }: Definition): string {
  const ofCode = `GEOID = '${place}'`;
  if (city === undefined) return ofCode;
  const ofFile = fileWords(path).replace(/^(?:city|town|village) of /, '');
  const names = [...new Set([city, ofFile].map(title))].map(name => `NAME like '${name.replaceAll("'", "''")}%'`);
  return `${ofCode} and ${names.length > 1 ? `(${names.join(' or ')})` : names[0]}`;
}

/**
 * A source within its ground: with the cut to the county where that is more, and a city's with the outline of the city, so that
 * nothing is said of the rest of the county.
 * @throws Untranslatable for a city whose outline nobody tells.
 */
function withinGround(definition: Definition, source: SourceLayer, of: CountyOfPlace): SourceLayer {
  const { layer } = source;
  switch (groundOf(definition)) {
    case 'region':
    case 'state':
      return { ...source, layer: { ...layer, cut: { outline: true } } };
    case 'city': {
      if (definition.place === undefined)
        throw new Untranslatable(
          'the directory does not tell the code of the city, so its outline, beyond which nothing is known, is not known',
        );
      const coverage = { file: placesOf(of), where: outlineOf(definition), optional: true as const };
      return { ...source, layer: { ...layer, coverage } };
    }
    default:
      return source;
  }
}

/** The definition, of those given, of which another one is an edition: bibb.json of bibb2.json. */
const firstEdition = ({ path }: Definition, among: readonly Definition[]): Definition | undefined =>
  among.find(other => other.path !== path && other.path === path.replace(/[-_]?\d+\.json$/, '.json'));

/** Why one source is not taken beside those of the same ground that are; null where it is a part of the ground. */
function repeats(
  definition: Definition,
  kind: DirectoryLayer,
  { name }: DirectorySource,
  taken: readonly TakenSource[],
): string | null {
  const first = firstEdition(
    definition,
    taken.map(one => one.definition),
  );
  if (first) return `${first.path} has its ground too`;
  // Parcels have one address each, and the points beside them are the addresses.
  const own = taken.find(one => one.definition === definition);
  if (kind === 'addresses' && name === 'parcels' && own) return `${own.layer.file} has its ground too`;
  return null;
}

interface TakenSource {
  readonly definition: Definition;
  readonly layer: SourceLayer;
}

/** Definitions that have a code of this county by mistake; the sources of their county were taken for this one's before. */
const mistaken = ({ definitions }: SourceDirectory, { county }: CountyOfPlace, kind: DirectoryLayer): LeftOut[] =>
  definitions
    .filter(({ contradicts = [], layers }) => contradicts.includes(county) && layers[kind])
    .map(({ path, counties }) => ({
      what: `${path} ${kind}`,
      why: `the directory gives it the code of this county, but its name is that of ${counties.map(nameOf).join() || 'another'}`,
    }));

/** What is not known beside what the cities of a county publish, where nobody publishes for all of it. */
export function beyondCities(kind: DirectoryLayer, sources: readonly SourceLayer[]): readonly LeftOut[] {
  const cities = sources.filter(({ layer: { coverage } }) => coverage !== undefined).map(({ file }) => file);
  if (cities.length === 0) return [];
  const why = `only cities publish them (${cities.join(', ')}): of the rest of the county nothing is known, so it is not said that there are none`;
  return [{ what: `${kind} beyond cities`, why }];
}

/**
 * Chooses the sources that cover a county: those of the county, else of its region, else those of the state, else those of its
 * cities. Several sources of one ground are all taken where they are parts of it.
 * @param isOpen takes only data that everybody may use, change and pass on.
 */
export function sourcesOf(
  directory: SourceDirectory,
  of: CountyOfPlace,
  kind: DirectoryLayer,
  isOpen: boolean,
): ChosenSources {
  const definitions = definitionsOf(directory, of.state, of.county);
  const left: LeftOut[] = mistaken(directory, of, kind);
  const chosen = GROUNDS.map(ground => {
    const taken: TakenSource[] = [];
    for (const definition of definitions.filter(one => groundOf(one) === ground).sort(byLength))
      for (const source of definition.layers[kind] ?? []) {
        const what = `${definition.path} ${kind}/${source.name}`;
        try {
          const layer = sourceLayer(definition, kind, source, of);
          if (!layer) continue;
          const repeated = repeats(definition, kind, source, taken);
          if (isOpen && layer.licence.closed !== null)
            left.push({ what, why: `its license is ${layer.licence.closed}: ${layer.licence.text}` });
          else if (repeated !== null) left.push({ what, why: repeated });
          else taken.push({ definition, layer: withinGround(definition, layer, of) });
        } catch (error) {
          if (!(error instanceof Untranslatable)) throw error;
          left.push({ what, why: error.message });
        }
      }
    return taken.map(({ layer }) => layer);
  });
  if (!definitions.some(({ layers: { [kind]: sources = [] } }) => sources.length > 0))
    left.push({ what: kind, why: `${directory.edition.title} names none for this county` });
  const best = chosen.findIndex(found => found.length > 0);
  for (const { layer } of chosen.slice(best + 1).flat())
    left.push({ what: layer.file, why: `the sources of the ${GROUNDS[best]} have its ground too` });
  const layers = chosen[best] ?? [];
  for (const { file, unused } of layers.filter(one => one.unused.length > 0))
    left.push({ what: `${unused.join(' and ')} of ${file}`, why: `the layer of ${kind} has no column for it` });
  return { layers, scope: GROUNDS[best] ?? null, left };
}

/** Kinds of the directory that fill no layer of the catalog: which dataset stands there instead, and why. */
const UNFILLED: Partial<Record<DirectoryLayer, { readonly instead: readonly [string, string]; readonly why: string }>> =
  {
    buildings: {
      instead: ['fema_usa_structures', 'main'],
      why: "FEMA's footprints are taken instead: they have the occupancy and height that those of counties lack",
    },
    centerlines: {
      instead: ['census_tiger', 'road_graph'],
      why: "the Census Bureau's roads are taken instead: they are of one form in every county, and join at its border",
    },
  };

/** Sources of a county that fill no layer, by kind, where what stands there instead is wanted. */
export function unfilledSources(directory: SourceDirectory, of: CountyOfPlace, wanted: Wanted): readonly LeftOut[] {
  const definitions = definitionsOf(directory, of.state, of.county);
  return Object.entries(UNFILLED).flatMap(([kind, { instead, why }]) => {
    if (!wanted(...instead)) return [];
    return definitions.flatMap(({ path, layers }) =>
      (layers[kind as DirectoryLayer] ?? []).map(({ name }) => ({ what: `${path} ${kind}/${name}`, why })),
    );
  });
}

/** A first edition stands before those that carry a number. */
const byLength = (a: Definition, b: Definition) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1);

/** A county by its name, where it has one. */
function nameOf(county: string): string {
  const state = Object.keys(STATE_FIPS).find(code => county.startsWith(STATE_FIPS[code]!));
  return (state === undefined ? null : countyName(state, county.slice(2))) ?? county;
}
