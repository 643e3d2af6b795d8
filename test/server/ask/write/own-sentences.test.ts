import { expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import type { AskRecord, Evidence } from '../../../../server/ask/backend.ts';
import { unsupportedIn } from '../../../../server/ask/check/check.ts';
import { writtenFrom } from '../../../../server/ask/write/writer.ts';

const record = (unit: string | null, value: unknown): AskRecord =>
  ({
    ...{ value, unit, status: 'ok', source: 'publisher:layer', source_url: null, dataset_vintage: '2024' },
    ...{ confidence: 'high', notes: null, fetched_at: '2026-11-29T00:00:00.000Z' },
  }) as unknown as AskRecord;

// The kind: a sentence that fails the check is dropped, and of a field whose own sentence fails nothing is left to tell.
it('what a field says of a yes, a no and a number passes the check', () => {
  const faults: unknown[] = [];
  for (const { name, type, unit = null, title, description, hint } of catalog.fields.values()) {
    const values = type === 'boolean' ? [true, false] : type === 'number' ? [42, 250.4, 1609] : [];
    for (const value of values) {
      const evidence: Evidence[] = [{ field: name, title, description, hint, record: record(unit, value), area: [] }];
      const question = `What is the ${title}?`;
      const parts = [{ text: question, fields: [name], unknown: [], enrichment: [] }];
      const plan = { fields: [name], preset: null, parts };
      const sentences = writtenFrom(catalog, { question, plan, evidence, about: 'the place', place: 'Bangor, Maine' });
      if (sentences.length === 0) faults.push([name, value]);
      for (const one of sentences) {
        const found = unsupportedIn(one, evidence, catalog);
        if (found) faults.push([name, one.text, found]);
      }
    }
  }
  expect(faults).toEqual([]);
});
