import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Citation } from '../../formats/format.ts';
import type { NameFacts } from '../../formats/row-table.ts';
import type { ExportFile } from '../../state/exports/records.ts';
import { type Part, unpackedPart } from '../part.ts';
import { arrowWriter } from './arrow.ts';
import { blockOf, columnNames } from './block.ts';
import { csvWriter } from './csv.ts';
import { flatgeobufWriter } from './flatgeobuf.ts';
import { EXPORT_FORMATS, type ExportFormat, SIDECAR } from './formats.ts';
import { geojsonseqWriter } from './geojsonseq.ts';
import { geoparquetWriter } from './geoparquet.ts';
import { Survey } from './survey.ts';
import type { ExportTable, TableWriter } from './writer.ts';

/** What writes each format. */
const WRITERS: Readonly<Record<ExportFormat, (path: string, table: ExportTable) => TableWriter>> = {
  geoparquet: geoparquetWriter,
  flatgeobuf: flatgeobufWriter,
  arrow: arrowWriter,
  geojsonseq: geojsonseqWriter,
  csv: csvWriter,
};

/** An export whose parts lie in a folder, in the order of their names. */
export interface ExportWriting {
  readonly folder: string;
  readonly format: ExportFormat;
  readonly of: Part['of'];
  /** Whether rows were sent as addresses. */
  readonly addresses: boolean;
  readonly fields: readonly string[];
  readonly about: Readonly<Record<string, unknown>>;
  /** Of columns that parts do not cite. */
  readonly cited: Readonly<Record<string, readonly Citation[]>>;
  /** By source. */
  readonly licences: Readonly<Record<string, string>>;
}

/** Kinds of columns that no catalog has. */
const OWN_KINDS = [
  ['row', 'integer'],
  ['lat', 'number'],
  ['lng', 'number'],
  ['acreage', 'number'],
] as const;

function* partsIn(folder: string): Generator<Part> {
  for (const name of readdirSync(folder).sort())
    if (name.startsWith('part-')) yield unpackedPart(readFileSync(join(folder, name)));
}

async function fileOf(folder: string, name: string): Promise<ExportFile> {
  const path = join(folder, name);
  const digest = createHash('sha256');
  for await (const bytes of createReadStream(path)) digest.update(bytes as Buffer);
  return { name, bytes: statSync(path).size, sha256: digest.digest('hex') };
}

/** Writes the files of an export into the folder of its parts. @returns them, the table first. */
export async function writeExport(writing: ExportWriting, { kinds, units }: NameFacts): Promise<ExportFile[]> {
  const { folder, format, of, addresses, fields, about, cited, licences } = writing;
  const names = columnNames(of, addresses, fields);
  const survey = new Survey(names, new Map([...kinds, ...OWN_KINDS]));
  for (const part of partsIn(folder)) survey.take(part, blockOf(part, names));
  const { box, placed, rows } = survey;
  const whole = {
    ...about,
    rows,
    sources: [...survey.sources].map(source => ({ source, licence: licences[source] ?? null })),
  };
  const table: ExportTable = {
    columns: survey.columns(cited, units, licences),
    about: whole,
    box,
    types: [...survey.types],
    placed,
  };
  const name = `export.${EXPORT_FORMATS[format].ending}`;
  const writer = WRITERS[format](join(folder, name), table);
  for (const part of partsIn(folder)) await writer.write(blockOf(part, names));
  await writer.finish();
  const described = table.columns.map(({ name: column, kind, unit, citations }) => [
    column,
    { kind, unit, sources: citations },
  ]);
  const sidecar = { ...whole, fields: Object.fromEntries(described), rows_without_place: survey.unplaced };
  writeFileSync(join(folder, SIDECAR), `${JSON.stringify(sidecar, null, 2)}\n`, { mode: 0o600 });
  return [await fileOf(folder, name), await fileOf(folder, SIDECAR)];
}
