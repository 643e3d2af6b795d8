import type { Definition, DirectoryLayer, DirectorySource } from '../../../datasets/directory/definition.ts';
import { type Licence, licenceOf } from '../../../datasets/directory/licence.ts';
import type { ColumnExpression, FormatOptions, PublishedAt, WrittenLayer } from '../../../datasets/place/place.ts';
import { columnsOfExpression, compileExpression } from '../../steps/normalise.ts';
import { expressionsOf } from './conform.ts';
import { Untranslatable } from './untranslatable.ts';

type Expressions = Readonly<Record<string, ColumnExpression>>;
type Columns = Readonly<Record<string, ColumnExpression>>;

/** The county that a place file is of. */
export interface CountyOfPlace {
  /** Two letters. */
  readonly state: string;
  /** Five-digit FIPS code. */
  readonly county: string;
  /** Its name, without the word County; null where only the code is known. */
  readonly name: string | null;
}

/** A layer of a place file with where its file is published. */
export interface SourceLayer {
  readonly file: string;
  readonly at: PublishedAt;
  readonly layer: WrittenLayer;
  readonly licence: Licence;
  /** Attributes of the source for which the layer has no column. */
  readonly unused: readonly string[];
}

/** Attributes of addresses for which the layer has no column; the state of an address is that of the place. */
const UNUSED = ['unit', 'district'];

/**
 * Which dataset the kinds of the directory fill. Centrelines fill none, and FEMA's footprints have the occupancy and height that
 * those of counties lack.
 */
const TARGETS: Partial<Record<DirectoryLayer, string>> = {
  addresses: 'usdot_nad',
  parcels: 'parcel_store',
};

/** States whose ZIP codes begin with a zero, which numbers lose. */
const ZERO_ZIP = ['CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT'];

const ENDINGS: Readonly<Record<string, string>> = {
  shapefile: '.shp',
  'shapefile-polygon': '.shp',
  geojson: '.geojson',
  gdb: '.gdb',
  gpkg: '.gpkg',
  csv: '.csv',
};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The ending by which the file is known. @throws Untranslatable for a format that is not read. */
function endingOf({ protocol, compression, conform, data }: DirectorySource): string {
  const format = text(conform!.format) ?? '';
  if (protocol === 'ESRI') return '.geojson';
  const ending = ENDINGS[format];
  if (ending === undefined) throw new Untranslatable(`the format ${format || 'is not stated'} is not read`);
  // A shapefile is several files, and comes in an archive also where that is not said.
  const isZip = compression === 'zip' || /\.zip(?:$|\?)/i.test(data);
  if (ending === '.shp' && !isZip) throw new Untranslatable('a shapefile without an archive lacks its tables');
  if (isZip) return `${ending}.zip`;
  return compression === 'gzip' ? `${ending}.gz` : ending;
}

/** What the reader is told. @throws Untranslatable for a header that is not in the file. */
function optionsOf({ protocol, conform }: DirectorySource, ending: string): FormatOptions {
  if (protocol === 'ESRI') return {};
  const { srs, encoding, csvsplit, file, layer, lon, lat, headers } = conform!;
  const isCsv = ending.startsWith('.csv');
  if (isCsv && headers === -1) throw new Untranslatable('the columns of the file have no names');
  const crs = text(srs) ?? (isCsv ? 'EPSG:4326' : undefined);
  if (crs !== undefined && !/^EPSG:\d+$/.test(crs)) throw new Untranslatable(`srs ${crs} is no code of EPSG`);
  const isMember = ending.endsWith('.zip') && !ending.startsWith('.gdb') && text(file) !== undefined;
  const entries = {
    crs,
    overrideCrs: crs !== undefined && !isCsv ? true : undefined,
    encoding: text(encoding),
    delimiter: isCsv ? text(csvsplit) : undefined,
    skipLines: typeof headers === 'number' && headers > 1 ? headers - 1 : undefined,
    x: isCsv ? text(lon) : undefined,
    y: isCsv ? text(lat) : undefined,
    layer: isCsv ? undefined : text(layer),
    member: isMember ? text(file) : undefined,
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** Where the file is published. @throws Untranslatable for a server that wants more than an address. */
function publishedAt({ protocol, data, request }: DirectorySource, { scope }: Definition): PublishedAt {
  if (request !== undefined) throw new Untranslatable('its server answers only with headers of its own');
  if (/[{}]/.test(data)) throw new Untranslatable('braces in an address stand for something else in a place file');
  if (protocol === 'ESRI')
    return { url: data, via: 'arcgis', ...(scope === 'state' || scope === 'nation' ? { ground: 0 } : {}) };
  if (protocol === 'ftp') return { url: data, via: 'ftp' };
  if (protocol === 'http') return { url: data };
  throw new Untranslatable(`the protocol ${protocol} is not one of ESRI, http and ftp`);
}

/** A row under the names that an expression reads; files and definitions differ in upper and lower case. */
const spelled = (expression: ColumnExpression, row: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    columnsOfExpression(expression).map(name => {
      const own = Object.keys(row).find(key => key.toLowerCase() === name.toLowerCase());
      return [name, own === undefined ? null : row[own]!];
    }),
  );

/** Holds the expressions to the rows by which the definition tests itself. @throws Untranslatable */
function tested({ test }: DirectorySource, expressions: Expressions): void {
  if (test?.enabled === false) return;
  for (const [i, { inputs, expected, description = `test ${i}` }] of (test?.['acceptance-tests'] ?? []).entries())
    for (const [name, wanted] of Object.entries(expected)) {
      const expression = expressions[name];
      const found =
        expression === undefined
          ? null
          : compileExpression(expression, 'string', '2000-01-01')(spelled(expression, inputs));
      if (String(found ?? '') !== wanted.trim())
        throw new Untranslatable(`its own test "${description}" wants ${name} "${wanted}" and gets "${found ?? ''}"`);
    }
}

const defined = (columns: Readonly<Record<string, ColumnExpression | undefined>>): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Columns;

const both = (...terms: (ColumnExpression | undefined)[]): ColumnExpression | undefined => {
  const from = terms.filter(term => term !== undefined);
  return from.length === 0 ? undefined : { from };
};

const whole = (number: ColumnExpression | undefined): ColumnExpression | undefined =>
  number && { from: [number], patterns: [{ match: '^(\\d+)', value: '$1' }] };

function zip(postcode: ColumnExpression | undefined, { state }: CountyOfPlace): ColumnExpression | undefined {
  if (postcode === undefined || !ZERO_ZIP.includes(state)) return postcode;
  return { from: [postcode], pad: 5 };
}

/** What stands at an address, where the definition says how exact it is. */
const PLACEMENT: Readonly<Record<number, string>> = { 1: 'Structure - Rooftop', 2: 'Parcel - Other' };

function addressColumns(
  source: DirectorySource,
  { number, street, city, postcode, id }: Expressions,
  of: CountyOfPlace,
) {
  if (street === undefined) throw new Untranslatable('no street is mapped');
  const placement = PLACEMENT[Number(source.conform!.accuracy)];
  return defined({
    UUID: id,
    Add_Number: whole(number),
    Post_City: city,
    State: { const: of.state },
    Zip_Code: zip(postcode, of),
    AddNo_Full: number,
    StNam_Full: street,
    Placement: placement === undefined ? undefined : { const: placement },
  });
}

/** @param situs attributes of addresses that stand in the same file. */
function parcelColumns(source: DirectorySource, { pid }: Expressions, situs: Expressions, of: CountyOfPlace) {
  if (pid === undefined) throw new Untranslatable('no parcel number is mapped');
  const { number, street, unit, city, postcode } = situs;
  const { text: licence, attribution } = licenceOf(source);
  const zipCode = zip(postcode, of);
  return defined({
    apn: pid,
    apn_no_formatting: { from: [pid], strip: '[^A-Za-z0-9]' },
    geoid: { const: of.county },
    state2: { const: of.state },
    county: of.name === null ? undefined : { const: of.name },
    address: both(number, street),
    saddno: number,
    saddstr: street,
    sunit: unit,
    city,
    szip: zipCode,
    szip5: zipCode && { from: [zipCode], patterns: [{ match: '^(\\d{5})', value: '$1' }] },
    source_agency: attribution === null ? undefined : { const: attribution },
    source_url: { const: source.website ?? source.data },
    source_license: { const: licence },
  });
}

/** What tells the file of a source from others. @throws Untranslatable */
function fileKey(source: DirectorySource): string {
  const ending = endingOf(source);
  return JSON.stringify([source.data, ending, optionsOf(source, ending)]);
}

/** The address source of the same definition that reads the same file as a source of parcels. */
function twinOf({ layers }: Definition, source: DirectorySource): DirectorySource | undefined {
  const readable = (layers.addresses ?? []).filter(
    ({ conform, skip, data }) => conform && !skip && data === source.data,
  );
  return readable.find(other => fileKey(other) === fileKey(source));
}

/** Name of a source by its definition, in letters that a path may have. */
const idOf = (slug: string, kind: DirectoryLayer, { name }: DirectorySource) =>
  `${slug}/${kind}-${name}`.replace(/[^A-Za-z0-9/_-]/g, '_');

/** What is to be known of a source: for what it stands, and what of its definition contradicts itself. */
function noteOf({ contradicts, counties }: Definition, kind: DirectoryLayer, dataset: string): string | null {
  const notes = [
    dataset === 'parcel_store'
      ? null
      : `Stands in for ${kind} (${dataset}) with those of the source that OpenAddresses names.`,
    contradicts
      ? `OpenAddresses gives its county the code ${contradicts.join(', ')}; by its name it is ${counties.join(', ')}.`
      : null,
  ].filter(note => note !== null);
  return notes.length > 0 ? notes.join(' ') : null;
}

/**
 * Makes a layer of a place file of one source of the directory.
 * @returns null for a kind of source that fills no layer.
 * @throws Untranslatable saying why the source is left out.
 */
export function sourceLayer(
  definition: Definition,
  kind: DirectoryLayer,
  source: DirectorySource,
  of: CountyOfPlace,
): SourceLayer | null {
  const dataset = TARGETS[kind];
  if (dataset === undefined) return null;
  if (source.skip === true) throw new Untranslatable(`the directory skips it${source.note ? `: ${source.note}` : ''}`);
  if (!source.conform) throw new Untranslatable('the directory does not say how it is read');
  const expressions = expressionsOf(source.conform, kind);
  tested(source, expressions);
  const ending = endingOf(source);
  const at = publishedAt(source, definition);
  const options = optionsOf(source, ending);
  const twin = kind === 'parcels' ? twinOf(definition, source) : undefined;
  const columns =
    kind === 'addresses'
      ? addressColumns(source, expressions, of)
      : parcelColumns(source, expressions, twin ? expressionsOf(twin.conform!, 'addresses') : {}, of);
  const slug = definition.path.replace(/^sources\/us\//, '').replace(/\.json$/, '');
  const id = idOf(slug, kind, source);
  // A file of parcels with their addresses is taken once.
  const file = `openaddresses/${twin ? idOf(slug, 'addresses', twin) : id}${ending}`;
  const licence = licenceOf(source);
  return {
    file,
    at,
    licence,
    unused: kind === 'addresses' ? UNUSED.filter(name => name in expressions) : [],
    layer: {
      id,
      dataset,
      layer: 'main',
      file,
      ...(Object.keys(options).length > 0 ? { options } : {}),
      columns,
      unpublished: 'rest',
      provenance: {
        source: `openaddresses_${id.replace(/[^A-Za-z0-9]+/g, '_')}`,
        title: `${kind[0]!.toUpperCase()}${kind.slice(1)} of ${slug.replace(/^..\//, '').replaceAll(/[_-]/g, ' ')}, ${of.state}`,
        publisher: licence.attribution ?? 'not stated',
        url: source.website ?? source.data,
        licence: licence.text,
        vintage: '{vintage}',
        note: noteOf(definition, kind, dataset),
      },
    },
  };
}
