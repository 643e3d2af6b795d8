import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { kindOfReason } from '../../../query/evaluate/rejected/columns.ts';
import type { LayerResult } from '../../steps/layer-job.ts';
import type { Reject } from '../../steps/rejected/reject.ts';

/** Yields every row that a layer rejected or repaired, in file order. */
export async function* rejectsOf(result: LayerResult): AsyncGenerator<Reject> {
  const files = result.partitions.flatMap(p => [...p.files, ...(p.parts ?? []).flatMap(part => part.files)]);
  const paths = new Set(files.filter(f => f.role === 'rejects').map(f => f.path));
  for (const path of paths) {
    const stream = createReadStream(path);
    await once(stream, 'open');
    for await (const line of createInterface({ input: stream }))
      if (line.startsWith('{')) yield JSON.parse(line) as Reject;
  }
}

/** Returns the most frequent reasons for rejected rows, with their number and an example. */
export async function topReasons(
  result: LayerResult,
  most = 3,
): Promise<{ reason: string; rows: number; example: string }[]> {
  const found = new Map<string, { reason: string; rows: number; example: string }>();
  for await (const { action, reason, row } of rejectsOf(result)) {
    if (action !== 'rejected') continue;
    const kind = kindOfReason(reason);
    const counted = found.get(kind);
    if (counted) counted.rows++;
    else found.set(kind, { reason: kind, rows: 1, example: `row ${row}: ${reason}` });
  }
  return [...found.values()].sort((a, b) => b.rows - a.rows).slice(0, most);
}
