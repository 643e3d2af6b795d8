import { nameIn } from '../file/geojson.ts';
import { type PointTable, readTable } from '../file/table.ts';

/** Places with numbers of somebody's own, from a table of text. */
export interface Portfolio {
  readonly table: PointTable;
  /** Columns that hold numbers, as the file names them. */
  readonly columns: readonly string[];
}

/** Columns whose names the service reads as places. */
const PLACES = /^(?:custom_id|lat(?:itude)?|lo?ng?|longitude|address|geometry|wkt)$/i;
/** Share of the cells of a column that are numbers, from which on it holds numbers. */
const MOSTLY = 0.5;

/** A number as spreadsheets write it, such as "$1,250,000"; null where it is none. Pure. */
export function numberOf(text: string): number | null {
  const plain = text.replace(/[$,\s]/g, '');
  const number = Number(plain);
  return plain === '' || !Number.isFinite(number) ? null : number;
}

/** What of a table of text can be added up; null where it has no points or no numbers beside them. @throws FileProblem. */
export function portfolioOf(text: string): Portfolio | null {
  const table = readTable(text);
  const { head, rows, lat, lng } = table;
  if (lat < 0 || lng < 0) return null;
  const columns = head.filter((name, i) => {
    if (i === lat || i === lng || name === '' || PLACES.test(name)) return false;
    const cells = rows.map(row => row[i] ?? '').filter(cell => cell !== '');
    const numbers = cells.filter(cell => numberOf(cell) !== null);
    return cells.length > 0 && numbers.length >= cells.length * MOSTLY;
  });
  return columns.length > 0 ? { table, columns } : null;
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A portfolio as the service takes it: each place with its name and one column, rows without a place left out. Pure. */
export function uploadOf({ table: { head, rows, lat, lng }, columns }: Portfolio, column: string): string {
  const value = head.indexOf(column);
  // Without a name that is known as one the first column of text is it.
  const text = head.findIndex((name, i) => i !== lat && i !== lng && !PLACES.test(name) && !columns.includes(name));
  const taken = new Set<string>();
  const lines = rows.flatMap((row, i) => {
    const [y, x] = [row[lat] ?? '', row[lng] ?? ''];
    if (y === '' || x === '' || !Number.isFinite(Number(y)) || !Number.isFinite(Number(x))) return [];
    const name = nameIn(Object.fromEntries(head.map((key, j) => [key, row[j] ?? '']))) ?? row[text] ?? '';
    // Two places of one name would be refused.
    const id = name === '' || taken.has(name) ? `Line ${i + 2}` : name;
    taken.add(id);
    return [[y, x, quoted(id), String(numberOf(row[value] ?? '') ?? '')].join()];
  });
  return [`lat,lng,custom_id,${quoted(column)}`, ...lines, ''].join('\n');
}
