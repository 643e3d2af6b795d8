import { readFileSync } from 'node:fs';
import { PARTS } from '../datasets/place/place-definition.ts';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly $ref?: string;
}

const file = (name: string) => readFileSync(new URL(`place-examples/${name}`, import.meta.url), 'utf8').trimEnd();
const cell = (text: string) => text.replaceAll('|', '\\|');

const REFERENCES: Readonly<Record<string, string>> = {
  expression: '[expression](#expressions)',
  join: '[join](#joins)',
  coverage: '[coverage](#coverage)',
  layer: '[layer](#layers)',
  ground: '[ground](#ground)',
  several: 'a word, or column: word',
  published: '[published file](#published-files)',
};

/** What a key takes, in a few words. */
function takes(schema: Schema): string {
  if (schema.$ref) {
    const reference = REFERENCES[schema.$ref];
    if (reference === undefined) throw new Error(`docs/places.ts says nothing of "${schema.$ref}": name its section`);
    return reference;
  }
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map(value => `\`${value}\``).join(', ');
  if (schema.anyOf) return schema.anyOf.map(takes).join(' or ');
  if (schema.type === 'array')
    return Array.isArray(schema.items)
      ? `[${schema.items.map(takes).join(', ')}]`
      : `list of ${takes(schema.items as Schema)}`;
  if (schema.patternProperties) return `name: ${takes(Object.values(schema.patternProperties)[0]!)}`;
  if (schema.properties)
    return `map of ${Object.keys(schema.properties)
      .map(key => `\`${key}\``)
      .join(', ')}`;
  return { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', null: 'null' }[
    schema.type!
  ]!;
}

/** The keys of a part as a table, those of a small map in it right behind their key. */
function table(part: Schema): string[] {
  const rows = (schema: Schema, prefix = ''): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
      const needed = schema.required?.includes(key) ? ' **(required)**' : '';
      const own = `| \`${prefix}${key}\` | ${cell(takes(inner))}${needed} | ${cell(inner.description ?? '')} |`;
      const shared = key === 'options' || key === 'provenance';
      return inner.properties && !shared ? [own, ...rows(inner, `${prefix}${key}.`)] : [own];
    });
  const means = part.description ? [part.description, ''] : [];
  return [...means, '| key | takes | meaning |', '|---|---|---|', ...rows(part), ''];
}

/** How to write a place file: its language, with every key from its definition, and the examples that tests ingest. */
export function renderPlaces(): string {
  return [
    '# Place files',
    '',
    '<!-- Generated from datasets/place/place-definition.ts, docs/places.ts and docs/place-examples by `make docs`; do not edit. -->',
    '',
    'A place file maps the published files of one place onto the datasets of the catalog: which file fills which layer, and',
    'how each column is made of the file’s own. It is YAML or JSON. [place-columns.md](place-columns.md) lists every layer',
    'with its columns, types, units and value lists.',
    '',
    '```sh',
    './plat place schema > place.schema.json                          # for an editor; see below',
    './plat ingest plan --sources DIR --place-file hamlet.yaml        # checks the place, lists its files',
    './plat ingest run  --sources DIR --place-file hamlet.yaml        # reads them into a new release',
    '```',
    '',
    'Files are paths below DIR. Every error names the file, line and column of what is wrong, all of them at once:',
    '',
    '```',
    'hamlet.yaml:76:16: unknown column "ZONES" (nearest: `ZONE`); columns of local_zoning:main: ZONE, CONTRACT',
    '```',
    '',
    '## An example',
    '',
    '[place-examples/hamlet.yaml](place-examples/hamlet.yaml), which a test ingests from seven small files:',
    '',
    '```yaml',
    file('hamlet.yaml'),
    '```',
    '',
    '## The place',
    '',
    ...table(PARTS.place as Schema),
    '`provenance` of the place has the keys of [provenance](#provenance), all of them optional: each is the default for every',
    'layer. A layer must have all of them in the end, from itself or from the place.',
    '',
    '## Published files',
    '',
    ...table(PARTS.published as Schema),
    'With `dataset` or `url`, one of them; `plat ingest run` downloads what is new and leaves the rest ([refresh.md](refresh.md)).',
    '`{vintage}` in the `vintage` of a provenance is the vintage that was found.',
    '',
    '## Layers',
    '',
    ...table(PARTS.layer as Schema),
    'Every column of the layer is accounted for: mapped in `columns`, or named in `unpublished`. What is unpublished answers',
    'absent with that reason; nothing is guessed. `unpublished: rest` is every column that is not mapped and that the ingest',
    'does not fill itself. Conditions are in a list beside it: `[rest, "FLD_ZONE = \'X\'"]`.',
    '',
    '## Ground',
    '',
    ...table(PARTS.ground as Schema),
    'Some publishers keep roads and water as rows of the parcel file, numbered `US-2` or `WATER`, or of a class of their own. They',
    'are no parcels. `ground` says by which conditions its publisher marks them. The rows are kept beside the parcels, with their',
    'number, and their ground answers for itself, also less than 30 m from a lot. Enrich says `no_match` and lookup names no parcel,',
    'both with the reason ("the point lies on a road of the parcel file (US-2); the nearest parcel, 041-069, is 12.3 m away"),',
    'parcel fields are absent with it, and no search, tile, site, calculation or address holds them. A lot that overlaps such ground is the match there. Where the shape of such a row is',
    'faulty, all that it may cover counts as that ground. A row without a shape is counted alone.',
    '',
    'The summary of `plat ingest run`, `plat ingest status`, `plat release show`, the report of the release and `/v1/meta/coverage`',
    'count the rows; `plat place init` proposes the conditions. The key of a parcel whose row becomes ground ends, and',
    '[changes](changes.md) say why. If the row is a parcel again later, it has its key again.',
    '',
    '## Expressions',
    '',
    'A bare name is a source column; several steps make a map.',
    '',
    ...table(PARTS.expressionObject as Schema),
    'Keys are the text that was written: in `lookup: { 010: Farm }` the code is 010, not 10, and `null:` needs no quotes.',
    "Conditions (`where`, `when`) have the grammar of [operators.md](operators.md): `A = 1 and B in ('x', 'y')`, `A is null`, `A like 'X%'`.",
    '',
    '## Joins',
    '',
    ...table(PARTS.join as Schema),
    'A file is joined by equal text of `key` and `to`; what has no key joins nothing. The joined file is held in memory: join',
    'the smaller to the larger. `plat ingest run` prints to how many of the rows something joined, and to how many several.',
    '',
    'Where several rows of the joined file share a key, `several` says what becomes of each column:',
    '',
    '| word | the column is |',
    '|---|---|',
    '| `reject` | none: the row is rejected, because one of them would be a guess. This is the default |',
    '| `first` | that of the first row in the file; it is for you to know that the order means something |',
    '| `sum` | the sum; nothing where one of them is missing, because what is missing is not zero |',
    '| `count` | how many rows have a value; of one row 1. Where nothing joins it is missing, not zero |',
    '| `list` | the different values in file order, `; ` between them |',
    '| `null` | nothing |',
    '',
    'One word is for all columns; `several: { OWNER: list, LAND: sum }` is for each, and then every column that is read must be',
    'named. `greatest` and `mean` choose or average whole rows instead.',
    '',
    '`geometry: true` gives rows without a geometry that of the joined row: a table of addresses keyed to parcels, a table of',
    'districts keyed to shapes. Rows with a geometry of their own keep it. In a layer of points a joined polygon gives a point',
    'well inside it. That point stands for the parcel, not for a building: the note of the layer says so, `Placement` of',
    '`usdot_nad` is `Parcel - Other`, and the geocoder answers such an address as a `point`, never as a `rooftop`. A row is',
    'rejected where nothing joins, where several rows share the key and none is chosen, and where the polygon is not valid.',
    '',
    '## Formats',
    '',
    'What a file begins with and its name tell its format; `format` names a reader where neither does. Readers of ours: Shapefile,',
    'GeoJSON (also a feature on each line), TopoJSON, Esri JSON, KML with its extended data, GeoPackage, file geodatabase (the `.gdb` folder or',
    'a zip of it), FlatGeobuf, GeoParquet, CSV, XLSX, dBASE (a `.dbf` alone), JSON tables, OpenStreetMap PBF, GeoTIFF, ASCII grid. Through GDAL, as',
    '`ogr2ogr` reads them: MapInfo TAB and MIF, GML, GPX, DXF, DGN, ODS, SQLite and SpatiaLite, OpenStreetMap XML,',
    'E00, S-57, GMT, GeoRSS, JML, MapML, JSON-FG and others (ingest/readers/gdal-formats.ts). One driver opens a file and sees the',
    'files of its dataset alone: VRT, web services and links to other files are refused or not followed. For any other format, the',
    'message names it and the way out, mostly `ogr2ogr -f GPKG layer.gpkg FILE`.',
    '',
    'Archives (`.zip`, `.kmz`, `.tar`, `.tar.gz`, `.tgz`) hold one layer, or several of which `options.member` names one.',
    'A member such as `*.csv` is all files that it fits, read as one table: columns are united by name, also where the headers of the',
    'files differ, as those of weather stations do. A table has a point in the columns `options.x` and `options.y`, or a geometry as WKT or WKB (hexadecimal) in `options.geometry`;',
    'so has Parquet that says nothing of its geometry. Arcs become lines. A raster layer takes a GeoTIFF or ASCII grid from a zip.',
    '',
    'Where edges are great circles (`edges` spherical of GeoParquet, GEOGRAPHY of Parquet, exports of BigQuery), vertices are added until',
    'straight edges in degrees leave them by 5 cm at most, as ST_Segmentize of PostGIS adds them. A DXF that shows other drawings (XREF) is',
    'refused with their names, because GDAL leaves their lines out. A geodatabase that also holds rasters is read for its other layers:',
    '`gdal_translate OpenFileGDB:"x.gdb":dem dem.tif` makes a file of a raster.',
    '',
    'What a reader finds out about a file that the file does not declare is in the log, and in the counts of the release: text in',
    'another encoding, the delimiter of a CSV file. Lines of CSV and cells of a `.dbf` that are no text of their encoding are read as Windows-1252',
    'and counted. UTF-16 is read in CSV and XML; JSON in it, and all text in UTF-32, is refused: `iconv -f UTF-16 -t UTF-8 FILE`.',
    'A file that a server cut off is a part, and is refused',
    '(`capped`, see [quality.md](quality.md)); this holds for files in archives and joined files too. Rows that are repaired or set',
    'aside are named with the reason ([rejected.md](rejected.md)); no row stops the other rows of its file, also none that is too large.',
    '',
    '## Coverage',
    '',
    '`{ file: boundary.geojson }` (with `options` where needed): polygons. `{ extent: true }`: the grid of a raster, or the box',
    'of the features. `{ everywhere: true }`. Beyond it a layer answers that it is not mapped; within it, that nothing is there.',
    '',
    "`cut` leaves out what of a file lies beyond the county. `{ km: 50 }` keeps what meets the county's box, widened by 50 km. `whole: true` says",
    'that the file has all of that ground, or that the files of neighboring states and counties that fill the same layer have the rest of it.',
    'Then the nearest of a place beside the border is known and as certain as over the whole file, and places of neighbors do not count a',
    'feature twice. Without it the coverage is all that is known. A file of a neighbor is `optional` under `files`: where its publisher has none,',
    "the layer goes without it and is not `whole`. `optional: true` of a layer's own coverage leaves the layer out where no polygon meets its `where`.",
    '`{ outline: true }` keeps what has its middle in the polygons of the coverage. Counts of `plat ingest status` say how many rows were left out.',
    '',
    '## Options',
    '',
    ...table(PARTS.options as Schema),
    '## Coordinate systems',
    '',
    'A file says in which coordinate reference system it is, or `crs` says it: as a code (`EPSG:2253`, `ESRI:102123`), as WKT 1 of',
    'ESRI or GDAL, WKT 2, PROJJSON, a PROJ string, or the keys of a GeoTIFF. PROJ reads every spelling and transforms the',
    'coordinates of every row to WGS 84, as `ogr2ogr -t_srs EPSG:4326` does, longitude first. So a file comes to lie where GDAL',
    'puts it, and not where a second reading of its definition would.',
    '',
    '- NAD83 is taken as equal to WGS 84; NAD83(HARN), NAD83(CSRS) and others are shifted by what PROJ has for them, up to two meters.',
    '- Ellipsoids raised to the ground of a county (Minnesota, Wisconsin) and spheres keep their latitudes and longitudes.',
    '- NAD27 and other datums on older ellipsoids need shift grids. `PLAT_PROJ_GRIDS` names the folder of PROJ’s grids, for example',
    '  `us_noaa_conus.tif` (of cdn.proj.org, or of conda’s proj-data; Debian’s package of that name holds none of the country). Without',
    '  one the file is refused, in every spelling, and the message names a grid; rows beyond the grids are rejected. Or transform the',
    '  file yourself: `ogr2ogr -t_srs EPSG:4269`.',
    '- Of the 4,204 systems of EPSG and ESRI that PROJ has for the country and its territories, 3,897 (92.7 %) are read by their code',
    '  without a grid. 250 need one: with the grids of NOAA 225 of them are read, which makes 98.0 %, and 25 are of Canada. For 57 PROJ',
    '  knows no shift at all, mostly bare ellipsoids. With grids of other ways beside them, such as those of NAD83(HARN), PROJ chooses',
    '  the way, and its versions choose differently, by up to a meter.',
    '- A code of ESRI that PROJ lacks is looked up under the same number of EPSG, from which ESRI takes its numbers.',
    '- A row with a coordinate that lies beyond its system, and so has no longitude and latitude, is rejected with both named.',
    '- A shift of three or seven parameters that a definition on an older ellipsoid brings (`TOWGS84`) is too rough, so it is refused.',
    '- A raster keeps its own system. The stored file says the PROJ string with which servers find its cells; it agreed with PROJ within',
    '  a centimeter at 25 points of the raster. Where none does, the raster is refused: `gdalwarp -t_srs EPSG:4269` helps.',
    '',
    '## Rasters',
    '',
    'A GeoTIFF or COG is read as GDAL reads it: its own masks and a `.msk` beside it, opacity, values that mean no data, scale and offset,',
    'units, `.aux.xml` and world files, any byte order, and every compression but those of pictures. It is stored in one form: a COG',
    'of tiles of 256 cells, DEFLATE, with scale and offset applied and in the unit of the layer. `unit`, `scale` and `nodata` of the',
    'options say what a file does not. Where Float32 would lose digits, cells become Float64; where a mask finds no value free, they',
    'become wider. Refused by name are:',
    '',
    '- JPEG, WebP and LZMA, and LERC of interleaved bands: `gdal_translate -co COMPRESS=DEFLATE FILE raster.tif`.',
    '- Several rasters in a file: `gdal_translate GTIFF_DIR:1:FILE raster.tif`. Bands of several types: a file for each.',
    '- Ground control points without a grid: `gdalwarp FILE raster.tif`.',
    '- Complex numbers, whole numbers beyond 2^53, cells without area, and a unit that does not become the one of the layer.',
    '',
    '## Provenance',
    '',
    ...table(PARTS.provenance as Schema),
    '## Anchors and merge keys',
    '',
    'YAML’s anchors (`&name`), aliases (`*name`) and merge keys (`<<: *name`, `<<: [*a, *b]`) work anywhere; a key that is',
    'beside `<<` wins, of several maps the first. Keys of the whole that begin with `x-` hold what anchors hang on. An error',
    'points to the line of the wrong text, so to the anchor.',
    '',
    '## Templates',
    '',
    'Counties of a state that publish alike share one mapping. `extends` names a place of this build, the template of a state',
    '([state-parcels.md](state-parcels.md)), or a file relative to this one; a file that only serves to be extended says',
    '`abstract: true`.',
    '',
    '```yaml',
    file('state.yaml'),
    '```',
    '',
    '```yaml',
    file('county.yaml'),
    '```',
    '',
    '- `state`, `coverage`, `synthetic`, `provenance` (key by key) and `layers` are inherited. `name`, `title` and `county`',
    '  are not: two places of one name would replace each other.',
    '- A layer with the `id` of an inherited one changes it; a layer without an id has the id `dataset:layer`. Every other is',
    '  added behind. `omit: true` leaves one out. Inherited layers keep their order.',
    '- `columns`, `options` and `provenance` of a layer are merged key by key; every other key is replaced. `null` takes an',
    '  inherited key or column away; in a provenance it is a value. With another `file`, `expectRows` is not inherited.',
    '- What a layer of the template says about its provenance wins over the defaults of the place that extends it.',
    '- A place that extends may be extended in turn, but not in a circle.',
    '',
    '## In an editor',
    '',
    '`plat place schema` prints a JSON Schema (draft-07): keys, datasets, layers and columns are completed and explained, and',
    'what is unknown is marked. YAML files name it in their first line, `# yaml-language-server: $schema=place.schema.json`,',
    'JSON files by the key `$schema`. What only the whole file can tell is left to `plat ingest plan`: that every column is',
    'accounted for, that conditions and patterns parse, and all that is inherited. Layers that change another are completed',
    'once they repeat `dataset` and `layer`.',
    '',
  ].join('\n');
}
