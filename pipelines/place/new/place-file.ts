import { stringify } from 'yaml';
import type { Catalog } from '../../../datasets/catalog.ts';
import { STATE_NAMES } from '../../../datasets/codes/state-names.ts';
import type { DirectoryLayer } from '../../../datasets/directory/definition.ts';
import type { SourceDirectory } from '../../../datasets/directory/source-directory.ts';
import type { Place, PlaceFile, PublishedAt, WrittenLayer } from '../../../datasets/place/place.ts';
import { templateOf } from '../../../datasets/templates.ts';
import { nationalLayers } from './national.ts';
import { type Neighbors, neighborsOf } from './neighbors.ts';
import { parcelChoice } from './parcel-choice.ts';
import type { PublisherAnswers } from './publisher-answers.ts';
import type { CountyOfPlace, SourceLayer } from './source-layer.ts';
import { beyondCities, type ChosenSources, type LeftOut, sourcesOf, unfilledSources } from './sources.ts';
import type { Wanted } from './wanted.ts';

/** A place file for a county, what was chosen for it, and what is not in it. */
export interface NewPlace {
  /** As it is written: where it extends the template of its state, its layer of parcels says only what is the county's. */
  readonly place: PlaceFile;
  /** The choice of its parcels, for people. */
  readonly choice: string;
  readonly left: readonly LeftOut[];
}

interface NewPlaceOptions {
  readonly name: string | null;
  readonly wanted: Wanted;
  /** Takes only data that everybody may use, change and pass on. */
  readonly isOpen: boolean;
  /** What publishers said; null where none was asked. */
  readonly answers: PublisherAnswers | null;
  /** Whose files are taken about the county: by default those of the counties that lie there. */
  readonly neighbors?: Neighbors;
}

/** Which layer of the catalog each kind of the directory fills. */
const FILLED: Readonly<Record<string, string>> = {
  addresses: 'usdot_nad',
  parcels: 'parcel_store',
};

/** The nation's counties, of which one is the coverage. */
const OUTLINE = 'census_tiger/county.shp.zip';

/** Note on columns that nobody documents. */
const GUESSED = 'The meaning of the column was guessed from the first rows of the source.';

/** What stays open where nobody was asked. */
const UNASKED: Pick<PublisherAnswers, 'open'> = {
  open: [
    {
      what: 'what only publishers tell',
      why: 'they were not asked: pieces of the soil survey and of NHDPlus HR, and columns of parcels beside the number; run plat place new without --offline',
    },
  ],
};

const NOTHING: ChosenSources = { layers: [], scope: null, left: [] };

/**
 * Writes the place file of a county: the layers of the catalog whose declared files reach it, the sources that the directory
 * names for it, and the parcels of its state, within the county's outline.
 * @param template place whose mappings are in the publishers' own columns.
 */
export function newPlace(
  catalog: Catalog,
  template: Place,
  directory: SourceDirectory,
  of: CountyOfPlace,
  { name, wanted, isOpen, answers, neighbors = neighborsOf }: NewPlaceOptions,
): NewPlace {
  const isWanted = (kind: DirectoryLayer) => wanted(FILLED[kind]!, 'main');
  const sources = (kind: DirectoryLayer) => (isWanted(kind) ? sourcesOf(directory, of, kind, isOpen) : NOTHING);
  const addresses = sources('addresses');
  const parcels = parcelChoice(
    withGuesses(sources('parcels'), answers),
    isWanted('parcels') ? templateOf(of.state, of.county) : undefined,
    of,
    isOpen,
  );
  const national = nationalLayers(catalog, template, of, {
    isOpen,
    neighbors,
    asked: answers?.pieces ?? new Map(),
    wanted: (dataset, layer) =>
      wanted(dataset, layer) &&
      dataset !== FILLED.parcels &&
      !(addresses.layers.length > 0 && dataset === FILLED.addresses),
  });
  const isNamed = of.name !== null;
  const slug = `${of.name ?? of.county}-${of.state}`
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const own = [...addresses.layers, ...parcels.sources];
  const place = {
    name: name ?? slug,
    title: `${isNamed ? of.name : `County ${of.county}`}, ${STATE_NAMES[of.state]}`,
    state: of.state,
    county: of.county,
    ...(parcels.template ? { extends: parcels.template.extends } : {}),
    coverage: { file: OUTLINE, where: `GEOID = '${of.county}'` },
    files: {
      [OUTLINE]: { dataset: 'census_tiger', layer: 'county' },
      ...national.files,
      ...Object.fromEntries(own.map(({ file, at }) => [file, at])),
      ...cityOutlines(own),
      ...parcels.template?.files,
    },
    layers: [...own.map(({ layer }) => layer), ...ofState(parcels.template), ...national.layers],
  };
  const open = (answers ?? UNASKED).open;
  const beyond = [...beyondCities('addresses', addresses.layers), ...beyondCities('parcels', parcels.sources)];
  const unfilled = unfilledSources(directory, of, wanted);
  const left = [...addresses.left, ...parcels.left, ...beyond, ...unfilled, ...national.left, ...open];
  const unavailable = Object.fromEntries(left.map(({ what, why }) => [what, why.replace(/\s+/g, ' ')]));
  const { layers, ...head } = place;
  return { place: { ...head, unavailable, layers } as PlaceFile, choice: parcels.why, left };
}

/** Files of the outlines of cities, which are the coverage of what cities publish. */
const cityOutlines = (sources: readonly SourceLayer[]): Readonly<Record<string, PublishedAt>> =>
  Object.fromEntries(
    sources.flatMap(({ layer: { coverage } }) =>
      coverage && 'file' in coverage ? [[coverage.file, { dataset: 'census_tiger', layer: 'place' }]] : [],
    ),
  );

/** Sources of parcels with the columns that their first rows told. */
function withGuesses(chosen: ChosenSources, answers: PublisherAnswers | null): ChosenSources {
  const layers = chosen.layers.map(source => {
    const guesses = answers?.guesses.get(source.file) ?? {};
    const names = Object.keys(guesses);
    if (names.length === 0) return source;
    const { provenance, columns, ...layer } = source.layer;
    const notes = [...(provenance?.notes ?? []), { columns: names, text: GUESSED }];
    return {
      ...source,
      layer: { ...layer, columns: { ...columns, ...guesses }, provenance: { ...provenance, notes } },
    };
  });
  return { ...chosen, layers };
}

/** What a place says of the layer of parcels that it takes from the template of its state. */
function ofState(template: ReturnType<typeof parcelChoice>['template']): readonly WrittenLayer[] {
  if (!template) return [];
  return template.layers.map(
    layer =>
      ({
        ...layer,
        ...(template.cut ? { cut: { outline: true } } : {}),
        provenance: { vintage: '{vintage}' },
      }) as unknown as WrittenLayer,
  );
}

const comment = (text: string) => `# ${text.replace(/\s+/g, ' ')}`;

/** The place file as YAML: how it was made and whom to name. @param out its name. */
export function newPlaceYaml({ place, choice }: NewPlace, { edition }: SourceDirectory, out: string): string {
  const lines = [
    comment('Made by plat place new. Look at it, then:'),
    comment(`  plat ingest plan --place-file ${out}`),
    comment(`  plat ingest run --place-file ${out}`),
    comment(`Sources of ${edition.title} (${edition.url}, ${edition.date}). ${edition.attribution}.`),
    comment(choice),
    stringify(place, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd(),
  ];
  return `${lines.join('\n')}\n`;
}
