import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportBody } from '../../server/exports/schema.ts';
import { exportThreads } from '../../server/exports/threads.ts';
import type { SetServices } from '../../server/sets/area-source.ts';
import type { Ask } from './plan.ts';
import { CATALOG } from './world.ts';

/** What exports are judged with. */
export const EXPORT_SERVICES = {
  batch: 1_000,
  maxCandidates: null,
  maxEvaluated: null,
  maxVertices: 10_000,
  maxSquareKm: 1_000_000,
} as unknown as SetServices;

/** An export whose filter says which ask it is, and behind the comma how many parcels pass. */
export const exportOf = ({ n, places, fields }: Ask): ExportBody => ({
  search: {
    filters: [
      { field: 'state2', op: 'eq', value: 'ME' },
      { field: 'acreage', op: 'gte', value: Number(`${100 + n}.${places}`) },
    ],
  },
  fields: [...fields],
  format: 'csv',
});

/** Has tables written here, not in a thread: the parts one after the other. */
export function writeExportsHere(): void {
  exportThreads(CATALOG).write = async ({ folder }) => {
    const parts = readdirSync(folder)
      .filter(name => name.startsWith('part-'))
      .sort();
    const text = parts.map(name => `${readFileSync(join(folder, name)).toString('base64')}\n`).join('');
    writeFileSync(join(folder, 'table.csv'), text);
    return [{ name: 'table.csv', bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }];
  };
}
