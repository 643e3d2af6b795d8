import { areaOf, type PublishedFile } from '../../../datasets/acquire.ts';
import type { Catalog } from '../../../datasets/catalog.ts';
import { citableUrl } from '../../../datasets/citable-url.ts';
import { countiesOf } from '../../../datasets/codes/county-boxes.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import type { Dataset, Layer } from '../../../datasets/dataset.ts';
import {
  joinsOf,
  type Place,
  type PlaceLayer,
  type PublishedAt,
  type WrittenLayer,
} from '../../../datasets/place/place.ts';
import type { CountyOfPlace } from './source-layer.ts';
import type { Wanted } from './wanted.ts';

/** Layers of the catalog for one county, where their files are published, and what is left out. */
export interface NationalLayers {
  readonly layers: readonly WrittenLayer[];
  readonly files: Readonly<Record<string, PublishedAt>>;
  readonly left: readonly { readonly what: string; readonly why: string }[];
}

/** A reason for which a layer is not part of a place. */
class LeftOut extends Error {}

/** Endings by which a reader knows the file, the longest first. */
const ENDING = /(?:\.(?:shp|gdb|csv|geojson|asc))?\.\w+$/;

const endingOf = (path: string) => ENDING.exec(path)?.[0] ?? '';

/** The ending of what a publisher sends. */
function publishedEnding({ via = 'http', url }: PublishedFile): string {
  if (via === 'arcgis' || via === 'ogc') return '.geojson';
  if (via === 'wcs' || via === 'image') return '.tif';
  if (/[?&]format=csv\b/.test(url)) return '.csv';
  return endingOf(new URL(url.replaceAll(/[{}]/g, ''), 'https://index.example').pathname);
}

/**
 * Whether the mapping of a file holds for what a publisher sends: services send the publisher's columns as GeoJSON, other files
 * must have the form of the mapped one.
 */
function fits({ via = 'http', url }: PublishedFile, { format, options, file }: PlaceLayer, ending: string): boolean {
  if (via === 'arcgis' || via === 'ogc') return true;
  if (via !== 'http' && via !== 'wcs' && via !== 'image') return false;
  if (format === 'filegdb') return /gdb/i.test(url) && !/(?:^|_)(?:ME|NH)_/.test(options?.layer ?? '');
  return ending.split('.').at(-1) === endingOf(file).split('.').at(-1);
}

/** What is published of a layer, and the mappings of it: its own declaration, or that of another layer made from the same file. */
function declaredOf(
  { acquire }: Dataset,
  layer: string,
  templates: readonly PlaceLayer[],
): { readonly source: PublishedFile; readonly mapped: PlaceLayer } {
  const of = (name: string) => (acquire.files ?? []).filter(({ layers }) => !layers || layers.includes(name));
  const declared = of(layer);
  const all = templates.filter(one => one.layer === layer);
  if (all.length === 0) throw new LeftOut('no mapping of its columns is known');
  const twins = all.flatMap(mapped => {
    const twin = templates.find(({ file, layer: name }) => file === mapped.file && of(name).length === 1);
    return twin ? [{ source: of(twin.layer)[0]!, mapped }] : [];
  });
  if (declared.length === 0 && twins.length === 1) return twins[0]!;
  const [source, ...others] = declared;
  if (!source) throw new LeftOut(`put there by hand: ${acquire.byHand ?? 'no file is declared'}`);
  if (areaOf(source) === 'piece') throw new LeftOut(`it comes in pieces, which you name under \`with\`: ${source.url}`);
  if (others.length + all.length > 1) throw new LeftOut('it is made of several files');
  return { source, mapped: all[0]! };
}

/** Why features lie beyond the county: null where none should. */
function beyond(source: PublishedFile): string | null {
  if (areaOf(source) === 'state') return 'The file is of the whole state.';
  return source.ground ? `What is taken reaches ${source.ground} km beyond the county.` : null;
}

function writtenLayer(
  dataset: Dataset,
  { title, kind }: Layer,
  mapped: PlaceLayer,
  source: PublishedFile,
  file: string,
  { state }: CountyOfPlace,
): WrittenLayer {
  const { provenance: _, state: __, county: ___, coverage: ____, unpublished: _____, ...rest } = mapped;
  const isService = source.via === 'arcgis' || source.via === 'ogc';
  const { format, options, ...plain } = rest;
  const fips = STATE_FIPS[state]!;
  const because = beyond(source);
  const coverage =
    kind === 'raster'
      ? { coverage: { extent: true as const } }
      : areaOf(source) === 'nation' && mapped.repeat === undefined
        ? { national: true }
        : {};
  return {
    ...plain,
    ...(isService ? {} : { ...(format ? { format } : {}), ...(options ? { options } : {}) }),
    file,
    ...(mapped.join === undefined ? {} : { join: joinsOf(mapped).map(join => ({ ...join, file })) }),
    ...(mapped.repeat === undefined
      ? {}
      : { repeat: { ...mapped.repeat, codes: { [fips]: countiesOf(state).map(county => county.slice(2)) } } }),
    ...coverage,
    ...(kind !== 'vector' || because === null ? {} : { expect: { ...mapped.expect, outside: 1, because } }),
    ...(kind === 'raster' ? {} : { unpublished: 'rest' as const }),
    provenance: {
      source: dataset.id,
      title: `${dataset.title}: ${title}`,
      publisher: dataset.publisher,
      url: dataset.url === null ? null : citableUrl(dataset.url),
      licence: dataset.licence,
      vintage: '{vintage}',
      note: null,
    },
  };
}

/**
 * Writes the layers of the catalog whose declared files reach a county. The mapping of each is that of the place `template`, whose
 * files are in the publishers' own columns.
 */
export function nationalLayers(catalog: Catalog, template: Place, of: CountyOfPlace, wanted: Wanted): NationalLayers {
  const layers: WrittenLayer[] = [];
  const files: Record<string, PublishedAt> = {};
  const left: { what: string; why: string }[] = [];
  for (const dataset of catalog.datasets.values())
    for (const [name, layer] of Object.entries(dataset.layers)) {
      if (!wanted(dataset.id, name)) continue;
      const templates = template.layers.filter(
        one => one.dataset === dataset.id && (one.state === undefined || one.state === template.state),
      );
      try {
        const { source, mapped } = declaredOf(dataset, name, templates);
        const ending = publishedEnding(source);
        if (joinsOf(mapped).some(join => join.file !== mapped.file)) throw new LeftOut('it is made of several files');
        if (!fits(source, mapped, ending))
          throw new LeftOut(
            `what is published has another form than the mapping${source.note ? `: ${source.note}` : ''}`,
          );
        const own = endingOf(mapped.file);
        const file = `${dataset.id}/${source.layers?.[0] ?? 'main'}${own.endsWith(ending) ? own : ending}`;
        files[file] = { dataset: dataset.id, ...(source.layers ? { layer: source.layers[0]! } : {}) };
        layers.push(writtenLayer(dataset, layer, mapped, source, file, of));
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        left.push({ what: `${dataset.id}:${name}`, why: error.message });
      }
    }
  return { layers, files, left };
}
