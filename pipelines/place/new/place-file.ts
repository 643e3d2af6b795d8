import { stringify } from 'yaml';
import type { Catalog } from '../../../datasets/catalog.ts';
import { STATE_NAMES } from '../../../datasets/codes/state-names.ts';
import type { DirectoryLayer } from '../../../datasets/directory/definition.ts';
import type { SourceDirectory } from '../../../datasets/directory/source-directory.ts';
import type { Place, PlaceFile } from '../../../datasets/place/place.ts';
import { nationalLayers } from './national.ts';
import type { CountyOfPlace } from './source-layer.ts';
import { sourcesOf } from './sources.ts';
import type { Wanted } from './wanted.ts';

/** A place file for a county, and what is not in it. */
export interface NewPlace {
  readonly place: PlaceFile;
  readonly left: readonly { readonly what: string; readonly why: string }[];
}

interface NewPlaceOptions {
  readonly name: string | null;
  readonly wanted: Wanted;
  /** Takes of the directory only data that everybody may use, change and pass on. */
  readonly isOpen: boolean;
}

/** Which layer of the catalog each kind of the directory fills. */
const FILLED: Readonly<Record<string, string>> = {
  addresses: 'usdot_nad',
  parcels: 'parcel_store',
};

/** The nation's counties, of which one is the coverage. */
const OUTLINE = 'census_tiger/county.shp.zip';

/**
 * Writes the place file of a county: the layers of the catalog whose declared files reach it, and the sources that the directory
 * names for it, within the county's outline.
 * @param template place whose mappings are in the publishers' own columns.
 */
export function newPlace(
  catalog: Catalog,
  template: Place,
  directory: SourceDirectory,
  of: CountyOfPlace,
  { name, wanted, isOpen }: NewPlaceOptions,
): NewPlace {
  const kinds = (kind: DirectoryLayer) => wanted(FILLED[kind]!, 'main');
  const sources = sourcesOf(directory, of, kinds, isOpen);
  const hasAddresses = sources.layers.some(({ layer }) => layer.dataset === FILLED.addresses);
  const national = nationalLayers(
    catalog,
    template,
    of,
    (dataset, layer) =>
      wanted(dataset, layer) && dataset !== FILLED.parcels && !(hasAddresses && dataset === FILLED.addresses),
  );
  const isNamed = of.name !== null;
  const slug = `${of.name ?? of.county}-${of.state}`
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const place: PlaceFile = {
    name: name ?? slug,
    title: `${isNamed ? of.name : `County ${of.county}`}, ${STATE_NAMES[of.state]}`,
    state: of.state,
    county: of.county,
    coverage: { file: OUTLINE, where: `GEOID = '${of.county}'` },
    files: {
      [OUTLINE]: { dataset: 'census_tiger', layer: 'county' },
      ...national.files,
      ...Object.fromEntries(sources.layers.map(({ file, at }) => [file, at])),
    },
    layers: [...sources.layers.map(({ layer }) => layer), ...national.layers],
  };
  return { place, left: [...sources.left, ...national.left] };
}

const comment = (text: string) => `# ${text.replace(/\s+/g, ' ')}`;

/** The place file as YAML: how it was made, whom to name, what is not in it and why. @param out its name. */
export function newPlaceYaml({ place, left }: NewPlace, { edition }: SourceDirectory, out: string): string {
  const lines = [
    comment('Made by plat place new. Look at it, then:'),
    comment(`  plat ingest plan --place-file ${out}`),
    comment(`  plat ingest run --place-file ${out}`),
    comment(`Sources of ${edition.title} (${edition.url}, ${edition.date}). ${edition.attribution}.`),
    stringify(place, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd(),
    '',
    comment('Not in this file:'),
    ...left.map(({ what, why }) => comment(`  ${what}: ${why}`)),
  ];
  return `${lines.join('\n')}\n`;
}
