import type { Value } from '../../../datasets/dataset.ts';
import { writeArchive } from './archive.ts';

/** A cell: text, number, boolean or a day (UTC). */
type Cell = Value | Date;
/** Rows of a sheet, header lines included. */
export type Sheets = Readonly<Record<string, readonly (readonly Cell[])[]>>;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
const escaped = (text: string) => text.replace(/[&<>"]/g, c => `&${ENTITIES[c]};`);

/** A, B, … Z, AA, … */
function columnName(index: number): string {
  return (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** Days since 1899-12-30, as spreadsheets count them (ECMA-376 part 1, 18.17.4.1). */
const serial = (day: Date) => day.getTime() / 86_400_000 + 25_569;

function cellXml(cell: Cell, at: string): string {
  if (cell === null) return '';
  if (cell instanceof Date) return `<c r="${at}" s="1"><v>${serial(cell)}</v></c>`;
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

function* sheetXml(rows: readonly (readonly Cell[])[]): Generator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`;
  for (const [i, cells] of rows.entries())
    yield `<row r="${i + 1}">${cells.map((cell, k) => cellXml(cell, columnName(k) + (i + 1))).join('')}</row>`;
  yield '</sheetData></worksheet>';
}

/**
 * Writes an XLSX workbook of plain cells (ECMA-376): texts inline, days with the built-in date format 14.
 * @returns rows of all sheets, header lines included.
 */
export async function writeWorkbook(path: string, sheets: Sheets): Promise<number> {
  const list = Object.entries(sheets);
  const part = (i: number) => `xl/worksheets/sheet${i + 1}.xml`;
  const override = (name: string, type: string) => `<Override PartName="/${name}" ContentType="${TYPES}.${type}+xml"/>`;
  await writeArchive(path, {
    '[Content_Types].xml': () => [
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">`,
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
      override('xl/workbook.xml', 'sheet.main'),
      override('xl/styles.xml', 'styles'),
      ...list.map((_, i) => override(part(i), 'worksheet')),
      '</Types>',
    ],
    '_rels/.rels': () => [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">`,
      `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    'xl/workbook.xml': () => [
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>`,
      ...list.map(([name], i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`),
      '</sheets></workbook>',
    ],
    'xl/_rels/workbook.xml.rels': () => [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">`,
      ...list.map(
        (_, i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      ),
      `<Relationship Id="rId${list.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ],
    'xl/styles.xml': () => [
      `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>`,
      '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>',
      '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
    ],
    ...Object.fromEntries(list.map(([, rows], i) => [part(i), () => sheetXml(rows)])),
  });
  return list.reduce((sum, [, rows]) => sum + rows.length, 0);
}
