import Type from 'typebox';
import { GROUND_KINDS, type GroundKind } from './ground-kind.ts';

/** An optional key. */
export const optional = Type.Optional;
/** A map without other keys. */
export const closed = { additionalProperties: false } as const;
/** What a key means: editors and docs/places.md show it. */
export const said = (description: string) => ({ description });
/** Text that is not empty. */
export const name = (description: string) => Type.String({ minLength: 1, description });
/** A whole number from 0. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });
/** Path below the sources folder. */
export const file = name;

/** How a file is read where it does not say so itself. */
export const options = Type.Object(
  {
    crs: optional(
      Type.String(
        said(
          '`EPSG:n`, `ESRI:n`, WKT, PROJJSON or a PROJ string, only when the file names none, or a wrong one with `overrideCrs`.',
        ),
      ),
    ),
    overrideCrs: optional(Type.Boolean(said('`crs` wins over what the file declares.'))),
    encoding: optional(
      Type.String(said('Text encoding of DBF and CSV; default UTF-8, else what the file declares of itself.')),
    ),
    delimiter: optional(Type.String(said('CSV: separator; by default a comma, of .tsv files a tab.'))),
    skipLines: optional(count('CSV and XLSX: lines before the header.')),
    skipAfterHeader: optional(count('CSV: lines to skip after the header.')),
    x: optional(Type.String(said('CSV and XLSX: column that holds the longitude or easting of the point.'))),
    y: optional(Type.String(said('CSV and XLSX: column that holds the latitude or northing of the point.'))),
    arcSeconds: optional(
      Type.Object(
        {
          xDirection: Type.String(said('Column of E or W.')),
          yDirection: Type.String(said('Column of N or S.')),
        },
        { ...closed, ...said('Where x and y are seconds of arc without a sign: the columns of their directions.') },
      ),
    ),
    header: optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'CSV: names of the columns where the file has no header line.',
      }),
    ),
    withoutAttributes: optional(Type.Boolean(said('Shapefile: read geometry alone when the .dbf is missing.'))),
    layer: optional(
      name(
        'Layer of a file that holds several: GeoPackage, geodatabase, TopoJSON object, GPX, SQLite, kind of OpenStreetMap feature.',
      ),
    ),
    geometry: optional(name('CSV and XLSX: column that holds the geometry, as WKT or as WKB in hexadecimal digits.')),
    member: optional(
      name(
        'Archive of several layers or tables: the file in it, by its name with or without folders. With *, as *.csv, all that it fits are one table, their columns united by name.',
      ),
    ),
    sheet: optional(
      name(
        'XLSX: name of the sheet, with * for what changes with the edition (SRL*); needed where a workbook holds several.',
      ),
    ),
    unit: optional(
      name(
        "Raster: unit of its values (`US survey foot`, `ft`, `cm`), which become the layer's; wins over what the file says.",
      ),
    ),
    scale: optional(
      Type.Number({
        exclusiveMinimum: 0,
        ...said("Raster: factor from its stored numbers to values in `unit`; wins over the file's own."),
      }),
    ),
    nodata: optional(
      Type.Union(
        [Type.Number(), Type.Array(Type.Number(), { minItems: 1 })],
        said('Raster: stored numbers that mean no data, besides those that the file names.'),
      ),
    ),
  },
  { ...closed, ...said('What a reader needs to be told because the file does not say it.') },
);

/** What stands behind the values of a file. */
export const provenance = Type.Object(
  {
    source: name('Identifier of the real product, for example `fema_q3` where it stands in for `fema_nfhl`.'),
    title: name('Title of the publication.'),
    publisher: name('The publisher.'),
    url: Type.Union([Type.String(), Type.Null()], said('Where it is published; null when nowhere.')),
    licence: name('License, or what is known about it.'),
    vintage: name('Date or edition of the data.'),
    note: Type.Union(
      [Type.String(), Type.Null()],
      said(
        'Note on every value that rests on the layer: what it stands in for (`Stands in for …`), or that its data is ' +
          'synthetic; null for the product itself. What explains some columns alone belongs into `notes`.',
      ),
    ),
    notes: optional(
      Type.Array(
        Type.Object(
          {
            columns: Type.Array(Type.String({ minLength: 1 }), {
              minItems: 1,
              description: 'Columns of the layer that it explains, mapped or not.',
            }),
            text: name('The note.'),
          },
          closed,
        ),
        said(
          'Notes on columns, each with `columns` and `text`: it is added to values that are read from one of them, to their ' +
            'absence, and where a condition asks for one.',
        ),
      ),
    ),
    generalised: optional(
      Type.Boolean(
        said(
          'Its boundaries are drawn for small maps, or leave out distinctions that the real product makes: no value that ' +
            'rests on them has high confidence.',
        ),
      ),
    ),
  },
  { ...closed, ...said('The source of the values, printed in the source, vintage and notes of every record.') },
);

/** Rows of a file of parcels that are none. */
export const ground = Type.Object(
  {
    kind: Type.Enum(
      Object.keys(GROUND_KINDS) as GroundKind[],
      said('What lies there. Answers name it, with the number that the file gives it.'),
    ),
    where: name('Condition over source columns, joined ones as `prefix.column`: the rows that are such ground.'),
  },
  {
    ...closed,
    ...said(
      'Rows of a parcel file that its publisher marks as no parcel, by number, class or use. They are kept beside the parcels: ' +
        'no place matches one, and searches, tiles and calculations leave them out.',
    ),
  },
);

/** What of a file of a nation or a state belongs to a place of one county. */
export const cut = Type.Object(
  {
    km: optional(
      Type.Number({
        minimum: 0,
        maximum: 5000,
        description: 'Keeps what meets the box of the county, widened by so many kilometers, and leaves out the rest.',
      }),
    ),
    whole: optional(
      Type.Literal(
        true,
        said(
          'With `km`: the file has all that meets the widened box, in other counties and states too. Then the nearest of a ' +
            'place beside the edge of the county is known as far as that.',
        ),
      ),
    ),
    outline: optional(
      Type.Literal(
        true,
        said(
          'Instead: keeps what has its middle within the polygons of the coverage, such as the parcels of the county.',
        ),
      ),
    ),
  },
  { ...closed, ...said('Leaves out what lies beyond the county: for files of a nation or a state, and for services.') },
);
