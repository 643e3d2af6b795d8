import { catalog } from '../../../../datasets/catalog.ts';
import type { AskRecord, Evidence } from '../../../../server/ask/backend.ts';

/** A field of the catalog with a record of its own. @param record what differs from a certain record without a value. */
export const evidence = (name: string, record: Partial<AskRecord>): Evidence => {
  const { title, description, hint, unit } = catalog.fields.get(name)!;
  const more = { source: 'test', source_url: null, confidence: 'high', notes: null, status: 'ok' } as const;
  const fixed = { fetched_at: '2026-01-02T03:04:05.678Z', dataset_vintage: null };
  return {
    field: name,
    title,
    description,
    hint,
    area: [],
    record: { value: null, unit, ...more, ...fixed, ...record },
  };
};
