import type { ReleaseFile } from '../../datasets/release.ts';
import { Fault } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import { duckdb } from '../release/table.ts';
import { requireUnchanged, verify } from '../release/verified-file.ts';
import type { StoredArea } from './area-value.ts';
import { COVER } from './built-columns.ts';
import { findingOf } from './reason.ts';
import type { RecordFile } from './record-file.ts';

/** An area of the column `<key>:area`. */
interface NumberedArea {
  readonly area: number;
  readonly stored: StoredArea;
}

class Areas {
  readonly list: readonly NumberedArea[];
  constructor(list: readonly NumberedArea[]) {
    this.list = list;
  }
}

/**
 * The distinct areas of a key that the parcels of a file of area keys lie in, by their number.
 * @param records the row store of the same overlay, which knows what the codes stand for.
 * @throws Fault when the file is missing, damaged or no Parquet.
 */
export async function distinctAreas(
  { release, cache }: Layers,
  file: ReleaseFile,
  key: string,
  records: RecordFile,
): Promise<readonly NumberedArea[]> {
  const at = await verify(release, file);
  const id = `areas ${at.id} ${key}`;
  const cached = cache.get(id) as Areas | undefined;
  if (cached) return cached.list;
  let rows: unknown[][];
  try {
    const db = await duckdb();
    // The key's name is one of AREA_KEY_NAMES.
    const reader = await db.runAndReadAll(
      `SELECT DISTINCT "${key}:area", "${key}", "${key}:code", "${COVER}" FROM read_parquet(?) ORDER BY 1`,
      [at.path],
    );
    rows = reader.getRows();
  } catch (error) {
    const text = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new Fault(
      `columns file ${file.sha256.slice(0, 12)} cannot be read as Parquet: ${text.replaceAll(at.path, '…')}`,
      true,
    );
  }
  requireUnchanged(file, at);
  const reasons = records.reasons(key);
  const list = rows.map(([area, value, code, cover]) => {
    const reason = reasons[Number(code)];
    if (!reason) throw new Fault(`columns file ${file.sha256.slice(0, 12)} has a code of no reason`, true);
    const finding = findingOf(reason, value === null ? null : String(value));
    return { area: Number(area), stored: { key: finding, cover: cover === null ? '' : String(cover) } };
  });
  cache.set(id, new Areas(list), 200 + list.length * 400);
  return list;
}
