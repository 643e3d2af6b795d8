import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalog } from '../../../../datasets/catalog.ts';
import type { AskRecord, Evidence } from '../../../../server/ask/backend.ts';

/** Records, a sentence that they support, and the same one flipped. */
export interface Pair {
  readonly evidence: readonly Evidence[];
  readonly right: string;
  readonly flipped: string;
}

const RECORD: AskRecord = {
  value: null,
  unit: null,
  source: 'fema_nfhl_2024:zones',
  source_url: null,
  confidence: 'high',
  fetched_at: '2026-01-02T03:04:05.678Z',
  dataset_vintage: '2021-06-30',
  notes: null,
  status: 'ok',
};

/** A record of a field of the catalog. */
export function recordOf(name: string, value: unknown, notes: string | null = null): Evidence {
  const { title, description, hint, unit } = catalog.fields.get(name)!;
  return { field: name, title, description, hint, area: [], record: { ...RECORD, value, unit, notes } };
}

/** Reads `field=value`; values of fields with text stay text. */
function written(text: string): Evidence {
  const [, name = '', value = '', notes] = /^(\w+)=([^|]*)(?:\|(.*))?$/.exec(text)!;
  const { type } = catalog.fields.get(name)!;
  const isText = type === 'string' || type === 'date' || type === 'timestamp';
  return recordOf(name, isText ? value.replace(/^"|"$/g, '') : JSON.parse(value), notes ?? null);
}

/** The pairs of a file: records, a right sentence and a flipped one in each line. */
export function pairsOf(file: string): Pair[] {
  const text = readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [records = '', right = '', flipped = ''] = line.split('\t');
      return { evidence: records.split(';').map(written), right, flipped };
    });
}
