import { areaOf, type PublishedFile } from '../../../datasets/acquire.ts';
import type { Catalog } from '../../../datasets/catalog.ts';
import { citableUrl } from '../../../datasets/citable-url.ts';
import { countiesOf } from '../../../datasets/codes/county-boxes.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import type { Dataset, Layer } from '../../../datasets/dataset.ts';
import { licenceOf } from '../../../datasets/directory/licence.ts';
import {
  type Join,
  joinsOf,
  type Place,
  type PlaceLayer,
  type PublishedAt,
  type WrittenLayer,
} from '../../../datasets/place/place.ts';
import type { Protocol } from '../../../datasets/protocol.ts';
import { fieldReach, lookOf } from './field-reach.ts';
import { type AboutCounty, aboutCounty, type Neighbors } from './neighbors.ts';
import { piecesOf } from './pieces.ts';
import type { CountyOfPlace } from './source-layer.ts';
import type { Wanted } from './wanted.ts';

/** Layers of the catalog for one county, where their files are published, and what is left out. */
export interface NationalLayers {
  readonly layers: readonly WrittenLayer[];
  readonly files: Readonly<Record<string, PublishedAt>>;
  readonly left: readonly { readonly what: string; readonly why: string }[];
}

/** What decides which layers of the catalog a place has. */
export interface NationalOptions {
  readonly wanted: Wanted;
  /** Takes only what everybody may use, change and pass on. */
  readonly isOpen: boolean;
  /** Pieces that publishers said reach the county, by the placeholder of an address; none where nobody was asked. */
  readonly asked: ReadonlyMap<string, readonly string[]>;
  readonly neighbors: Neighbors;
}

/** A reason for which a layer is not part of a place. */
class LeftOut extends Error {}

/** Endings by which a reader knows the file, the longest first. */
const ENDING = /(?:\.(?:shp|gdb|csv|geojson|asc))?\.\w+$/;

const endingOf = (path: string) => ENDING.exec(path)?.[0] ?? '';

/** Protocols whose rows come as GeoJSON in the publisher's columns. */
const ROWS: readonly Protocol[] = ['arcgis', 'ogc', 'parquet'];

/** The ending of what a publisher sends. */
function publishedEnding({ via = 'http', url, vintage, form }: PublishedFile): string {
  if (form) return form.ending;
  if (ROWS.includes(via)) return '.geojson';
  if (via === 'wcs' || via === 'image') return '.tif';
  if (/[?&]format=csv\b/.test(url)) return '.csv';
  if (url === '{link}' && vintage && 'link' in vintage) return /\.zip$/.test(vintage.link) ? '.zip' : '';
  return endingOf(new URL(url.replaceAll(/[{}]/g, ''), 'https://index.example').pathname);
}

/**
 * Whether the mapping of a file holds for what a publisher sends: services send the publisher's columns as GeoJSON, other files
 * must have the form of the mapped one.
 */
function fits(
  { via = 'http', url, vintage, form }: PublishedFile,
  { format, options, file }: Mapping,
  ending: string,
): boolean {
  if (form || ROWS.includes(via)) return true;
  if (via !== 'http' && via !== 'wcs' && via !== 'image') return false;
  const link = vintage && 'link' in vintage ? vintage.link : '';
  if (format === 'filegdb') return /gdb/i.test(`${url} ${link}`) && !/(?:^|_)(?:ME|NH)_/.test(options?.layer ?? '');
  return ending.split('.').at(-1) === endingOf(file).split('.').at(-1);
}

/** Mapping of a file onto a layer. What is told of the file's source belongs to the place of the mapping alone. */
type Mapping = Omit<PlaceLayer, 'provenance'> & Partial<Pick<PlaceLayer, 'provenance'>>;

/** What is published of a layer, and the mappings of it: its own declaration, or that of another layer made from the same file. */
function declaredOf(
  { id, acquire }: Dataset,
  layer: string,
  templates: readonly PlaceLayer[],
): { readonly source: PublishedFile; readonly mapped: Mapping } {
  const of = (name: string) => (acquire.files ?? []).filter(({ layers }) => !layers || layers.includes(name));
  const declared = of(layer);
  const told = declared.find(({ form }) => form?.columns);
  if (told) return { source: told, mapped: { dataset: id, layer, file: '', columns: {} } };
  const all = templates.filter(one => one.layer === layer);
  if (all.length === 0) throw new LeftOut(acquire.byHand ?? 'no mapping of its columns is known');
  const twins = all.flatMap(mapped => {
    const twin = templates.find(({ file, layer: name }) => file === mapped.file && of(name).length === 1);
    return twin ? [{ source: of(twin.layer)[0]!, mapped }] : [];
  });
  if (declared.length === 0 && twins.length === 1) return twins[0]!;
  const [source, ...others] = declared;
  if (!source) throw new LeftOut(`put there by hand: ${acquire.byHand ?? 'no file is declared'}`);
  // Tiles of a grid are mapped alike.
  const alike = new Set(all.map(({ file: _, expectRows: __, provenance: ___, ...rest }) => JSON.stringify(rest)));
  if (others.length > 0 || (areaOf(source) === 'piece' ? alike.size : all.length) > 1)
    throw new LeftOut(`it is made of several files${source.note ? `: ${source.note}` : ''}`);
  return { source, mapped: all[0]! };
}

/** Why features lie beyond the county: null where none should. */
function beyond(source: PublishedFile, km: number, isNeighbor: boolean): string | null {
  if (isNeighbor) return 'The file is of a neighbor of the county.';
  if (areaOf(source) === 'state') return 'The file is of the whole state.';
  if (source.ground) return `What is taken reaches ${source.ground} km beyond the county.`;
  return areaOf(source) === 'county' ? null : `What is kept reaches ${km} km beyond the county.`;
}

/** The part of a file that belongs to the county, and the ground on which the layer is known then. @param about what neighbors' files have with it. */
function boundsOf(
  source: PublishedFile,
  { kind }: Layer,
  km: number,
  about: AboutCounty | null,
): Partial<WrittenLayer> {
  // Of a table that is several files the whole nation is taken.
  const area = source.form?.with ? 'nation' : areaOf(source);
  if (kind === 'raster') {
    const isCut = area !== 'county';
    return { coverage: { extent: true }, ...(isCut ? { cut: { km } } : {}) };
  }
  if (kind !== 'vector') return area === 'nation' ? { national: true } : {};
  if (about) return { cut: { km: about.km, whole: true } };
  if (source.ground !== undefined) return { cut: { km: source.ground, whole: true } };
  if (area === 'nation') return { cut: { km, whole: true } };
  return area === 'state' || area === 'piece' ? { cut: { km } } : {};
}

/** What a layer of the place is made of. */
interface LayerParts {
  readonly dataset: Dataset;
  readonly name: string;
  readonly mapped: Mapping;
  readonly source: PublishedFile;
  readonly file: string;
  readonly joins: readonly JoinedFile[];
  /** Kilometres about the county that matter. */
  readonly km: number;
  /** Null where the layer has no files of neighbors. */
  readonly about: AboutCounty | null;
  readonly isNeighbor: boolean;
}

/** A join of a layer, and where the file of it is published. */
interface JoinedFile {
  readonly join: Join;
  readonly at: PublishedAt;
}

/** A text of a declaration with the state and the layer in it. */
const ofState = (text: string, state: string, layer: string) =>
  text.replaceAll('{ST}', state).replaceAll('{layer}', layer);

/** Format of the file: that of the mapped one, unless it is of another form, or a service sends it. */
function readAs(
  { name, source, mapped: { format, options } }: LayerParts,
  state: string,
): Pick<WrittenLayer, 'format' | 'options'> {
  const { options: own } = source.form ?? {};
  if (ROWS.includes(source.via ?? 'http')) return own ? { options: own } : {};
  if (!source.form) return { ...(format ? { format } : {}), ...(options ? { options } : {}) };
  const { x, y, crs } = options ?? {};
  const told = Object.entries({ x, y, crs, ...own }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, typeof value === 'string' ? ofState(value, state, name) : value]],
  );
  return told.length > 0 ? { options: Object.fromEntries(told) } : {};
}

/** Columns and rows that a layer takes of a file: as the declaration says, else as the mapped one. */
function mappedAs(
  { name, source, mapped, file, joins }: LayerParts,
  { state }: CountyOfPlace,
): Pick<WrittenLayer, 'columns' | 'where' | 'join'> {
  const { columns, where } = source.form ?? {};
  if (columns)
    return {
      columns,
      ...(where === undefined ? {} : { where: ofState(where, state, name) }),
      ...(joins.length > 0 ? { join: joins.map(({ join }) => join) } : {}),
    };
  return {
    columns: mapped.columns,
    ...(mapped.join === undefined ? {} : { join: joinsOf(mapped).map(join => ({ ...join, file })) }),
  };
}

/** @param of whose file it is: the county of the place, or a neighbor. */
function writtenLayer(parts: LayerParts, of: CountyOfPlace): WrittenLayer {
  const { dataset, name, mapped, source, file, km, about, isNeighbor } = parts;
  const { state, county } = of;
  const layer = dataset.layers[name]!;
  const { title, kind } = layer;
  const {
    provenance: _,
    state: __,
    county: ___,
    coverage: ____,
    unpublished: _____,
    national: ______,
    format: _______,
    options: ________,
    expectRows: _________,
    ...plain
  } = mapped;
  const fips = STATE_FIPS[state]!;
  const because = beyond(source, km, isNeighbor);
  const codes = [...new Set([...countiesOf(state), county])].sort().map(code => code.slice(2));
  const bounds = mapped.repeat !== undefined && kind !== 'vector' ? {} : boundsOf(source, layer, km, about);
  return {
    ...plain,
    ...mappedAs(parts, of),
    ...readAs(parts, state),
    file,
    ...(mapped.repeat === undefined ? {} : { repeat: { ...mapped.repeat, codes: { [fips]: codes } } }),
    ...bounds,
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
 * Path of a file below the sources folder. Its area stands in it, so that places share the files of the nation and of their state in
 * one folder, and none takes another's.
 */
function pathOf(
  { id }: Dataset,
  source: PublishedFile,
  own: string,
  { state, county }: CountyOfPlace,
  names: readonly string[],
) {
  const areas = { nation: '', state: `${state.toLowerCase()}/`, county: `${county}/`, piece: '' };
  return `${id}/${areas[areaOf(source)]}${names.join('-')}${own}`;
}

/** A layer of the place, and where its files are published. */
interface LayerOfFile {
  readonly layer: WrittenLayer;
  readonly at: PublishedAt;
  readonly joins: readonly JoinedFile[];
}

/** The layers of one layer of the catalog, one a file, and how far about the county. @throws LeftOut */
function layersOf(
  catalog: Catalog,
  dataset: Dataset,
  name: string,
  templates: readonly PlaceLayer[],
  of: CountyOfPlace,
  { asked, neighbors }: Pick<NationalOptions, 'asked' | 'neighbors'>,
): { readonly files: readonly LayerOfFile[]; readonly about: AboutCounty | null } {
  const { source, mapped } = declaredOf(dataset, name, templates);
  const ending = publishedEnding(source);
  if (joinsOf(mapped).some(join => join.file !== mapped.file)) throw new LeftOut('it is made of several files');
  if (!fits(source, mapped, ending))
    throw new LeftOut(`what is published has another form than the mapping${source.note ? `: ${source.note}` : ''}`);
  const told = source.form?.with ?? null;
  const look = lookOf(catalog, dataset.id, name);
  const pieces = told ? [told] : areaOf(source) === 'piece' ? piecesOf(source, of, asked, look) : [null];
  if (pieces === null)
    throw new LeftOut(
      `it comes in pieces, and nobody told which reach the county: ${source.url}; name them under \`with\``,
    );
  if (pieces.length === 0) throw new LeftOut(`it has no piece that reaches the county: ${source.url}`);
  const own = endingOf(mapped.file);
  const km = fieldReach(catalog, dataset.id, name);
  const isVector = dataset.layers[name]!.kind === 'vector';
  const about = isVector ? aboutCounty(catalog, source, [dataset.id, name], of, neighbors) : null;
  const areas = [of, ...(about?.neighbors ?? [])];
  const files = areas.flatMap(area =>
    pieces.map(piece => {
      const isNeighbor = area !== of;
      const whose = isNeighbor ? { state: area.state, county: area.county, optional: true as const } : {};
      const path = (end: string, names: readonly string[]) => pathOf(dataset, source, end, area, names);
      const main = source.layers?.[0] ?? 'main';
      const file = path(!source.form && own.endsWith(ending) ? own : ending, [main, ...Object.values(piece ?? {})]);
      const joins = (source.form?.join ?? []).map(({ at, ending: end = ending, ...join }) => {
        // The file of a layer is taken once.
        const names = [at.layer ?? main, ...(at.layer ? Object.values(at.with ?? {}) : [join.prefix])];
        return { join: { ...join, file: path(end, names) }, at: { ...at, ...whose } };
      });
      const at: PublishedAt = {
        dataset: dataset.id,
        ...(source.layers ? { layer: source.layers[0]! } : {}),
        ...(piece ? { with: piece } : {}),
        ...whose,
      };
      const parts = { dataset, name, mapped, source, file, joins, km, about, isNeighbor };
      return { at, joins, layer: writtenLayer(parts, area) };
    }),
  );
  return { files, about };
}

/**
 * Writes the layers of the catalog whose declared files reach a county. The mapping of each is that of the place `template`, whose
 * files are in the publishers' own columns.
 */
export function nationalLayers(
  catalog: Catalog,
  template: Place,
  of: CountyOfPlace,
  { wanted, isOpen, ...options }: NationalOptions,
): NationalLayers {
  const layers: WrittenLayer[] = [];
  const files: Record<string, PublishedAt> = {};
  const left: { what: string; why: string }[] = [];
  for (const dataset of catalog.datasets.values()) {
    const { closed, text } = licenceOf({ license: dataset.licence });
    const templates = template.layers.filter(
      one => one.dataset === dataset.id && (one.state === undefined || one.state === template.state),
    );
    for (const name of Object.keys(dataset.layers)) {
      if (!wanted(dataset.id, name)) continue;
      const what = `${dataset.id}:${name}`;
      if (isOpen && closed !== null) {
        left.push({ what, why: `its license is ${closed}: ${text}` });
        continue;
      }
      try {
        const { files: own, about } = layersOf(catalog, dataset, name, templates, of, options);
        for (const { layer, at, joins } of own) {
          files[layer.file] = at;
          for (const joined of joins) files[joined.join.file] = joined.at;
          layers.push(layer);
        }
        if (about?.beyond) left.push({ what: `${what} beyond ${about.km} km`, why: about.beyond });
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        left.push({ what, why: error.message });
      }
    }
  }
  return { layers, files, left };
}
