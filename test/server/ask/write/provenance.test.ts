import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import type { AskRecord, Evidence, Part, Standing } from '../../../../server/ask/backend.ts';
import { unsupportedIn } from '../../../../server/ask/check/check.ts';
import { writtenFrom } from '../../../../server/ask/write/writer.ts';

const record: AskRecord = {
  ...{ value: 12.4, unit: 'degrees', source: 'usgs_3dep', source_url: null, confidence: 'medium', notes: null },
  ...{ fetched_at: '2026-01-02T03:04:05.678Z', dataset_vintage: '2021', status: 'ok' },
};
const standing: Standing = {
  ...{ share: 0.84, above: 0.15, of: 'county', place: '23019', count: 500 },
  citation: { source: 'parcel_quantiles', source_url: '/v1/meta/quantiles', release: 'r' },
  text: 'steeper than 84 percent of the parcels of the county',
};
const { title, description, hint } = catalog.fields.get('slope_degrees')!;

/** The checked sentences of a question on the slope. */
function write(question: string, more: Partial<Evidence> = {}, slots: Partial<Part> = {}): string[] {
  const one: Evidence = { field: 'slope_degrees', title, description, hint, area: [], record, ...more };
  const part: Part = { text: question, fields: ['slope_degrees'], unknown: [], enrichment: [], ...slots };
  const plan = { fields: ['slope_degrees'], preset: null, parts: [part] };
  return writtenFrom(catalog, { question, plan, evidence: [one], about: 'the place' }).map(sentence => {
    expect([sentence.text, unsupportedIn(sentence, [one], catalog)]).toEqual([sentence.text, null]);
    return sentence.text;
  });
}

describe('what is asked of the data behind a value', () => {
  it.each<[NonNullable<Part['ofSource']>[number], Partial<AskRecord>, string]>([
    ['vintage', {}, 'The data on the slope is of 2021.'],
    ['vintage', { dataset_vintage: '2024-05-01' }, 'The data on the slope is of May 1, 2024.'],
    ['vintage', { dataset_vintage: null }, 'The source gives no date for the slope.'],
    ['vintage', { dataset_vintage: 'synthetic' }, 'The source gives no date for the slope.'],
    ['confidence', {}, 'The confidence in the slope is medium, good enough to plan with and not to sign.'],
    ['confidence', { confidence: 'high' }, 'The confidence in the slope is high.'],
    ['confidence', { confidence: 'low' }, 'The confidence in the slope is low, a hint to be checked on the ground.'],
    ['source', {}, 'The source of the slope is “USGS 3DEP”.'],
  ])('%s %j', (ofSource, more, sentence) => {
    expect(write('How steep is it', { record: { ...record, ...more } }, { ofSource: [ofSource] })[1]).toBe(sentence);
  });

  it('is told in Spanish', () => {
    expect(write('¿Qué tan empinado es y de qué año?', {}, { ofSource: ['vintage'] })[1]).toBe(
      'La pendiente viene de datos de 2021.',
    );
  });
});

describe('where a value stands', () => {
  it('follows the value', () => {
    expect(write('How steep is it', { standing })[1]).toBe(
      'That is steeper than 84 percent of the parcels of the county.',
    );
  });

  it('is not told in the middle, of a limit, or in Spanish', () => {
    expect(write('How steep is it', { standing: { ...standing, share: 0.55, above: 0.44 } })).toHaveLength(1);
    expect(write('¿Qué tan empinado es?', { standing })).toHaveLength(1);
    const limit = { relation: 'more', value: 5, unit: null, written: 'more than 5', rest: 'is it' } as const;
    expect(write('is it steeper, more than 5', { standing }, { limit }).join(' ')).not.toContain('parcels');
  });
});
