import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Partition } from '../../../datasets/release.ts';
import { absent, type Finding, found, toAnswer } from '../../../query/evaluate/finding.ts';
import { requestedFields } from '../../../query/evaluate/requested-fields.ts';
import { readAnswers, writeAnswers } from '../../../query/evaluate/written-answers.ts';

const ALPHA = { source: 'a_source', url: 'https://example.org/a', vintage: '2024' };
const BETA = { source: 'b_source', url: null, vintage: null };
const NAMELESS = { source: '', url: null, vintage: '2020' };
const ofAlpha = [ALPHA];

const finding = (more: Partial<Finding>): Finding => ({
  status: 'ok',
  value: 1,
  notes: [],
  citations: ofAlpha,
  confidence: 'high',
  ...more,
});
const FINDINGS: readonly Finding[] = [
  finding({ value: 10.5, confidence: 'medium' }),
  finding({ value: 'Zone AE', notes: ['a note', 'another', 'a note'] }),
  finding({ value: 0, citations: [BETA] }),
  finding({ value: false, confidence: 'low', citations: [ALPHA, BETA] }),
  finding({ value: true, citations: [NAMELESS] }),
  finding({ status: 'absent', value: null, notes: ['nothing here'] }),
  finding({ status: 'absent', value: 7, citations: [] }),
  finding({ status: 'failed', value: null, citations: [], error: 'the file is damaged', retryable: true }),
  finding({ status: 'failed', value: null, citations: [], error: 'not installed', retryable: false }),
  finding({ status: 'failed', value: null, citations: [] }),
];
const names = [...catalog.fields.keys()].slice(0, FINDINGS.length);
const asked = requestedFields(catalog, names);
const START = Date.UTC(2026, 0, 1);

const partition = (source: string, vintage: string | null, note: string | null) =>
  ({ provenance: { source, url: null, vintage, note } }) as unknown as Partition;

describe('answers between threads', () => {
  it('are those that are made of the findings, in their order', () => {
    const moments = FINDINGS.map((_, i) => START + (i < 4 ? 0 : i));
    const answers = Object.fromEntries(
      asked.map(({ field, dataset }, i) => [
        field.name,
        toAnswer(FINDINGS[i]!, dataset, new Date(moments[i]!).toISOString()),
      ]),
    );
    const crossed = structuredClone(writeAnswers(asked, { findings: FINDINGS, moments }));
    expect(readAnswers(names, crossed)).toEqual(answers);
    expect(Object.keys(readAnswers(names, crossed))).toEqual(names);
    expect(crossed.texts.filter(text => text === 'a_source')).toHaveLength(1);
    expect(crossed.moments).toHaveLength(7);
  });

  it('say once what several say of one partition', () => {
    const [one, two] = [partition('one', '2024', 'made up'), partition('two', null, null)];
    const findings = [
      found(7, 'high', [one]),
      found(8, 'low', [two]),
      found(9, 'low', [one, two]),
      found(10, 'high', [one], ['a note of its own']),
      absent('no row', 'medium', [two]),
      ...FINDINGS.slice(5),
    ];
    const moments = findings.map(() => START);
    const answers = Object.fromEntries(
      asked.map(({ field, dataset }, i) => [
        field.name,
        toAnswer(findings[i]!, dataset, new Date(START).toISOString()),
      ]),
    );
    const crossed = structuredClone(writeAnswers(asked, { findings, moments }));
    expect(readAnswers(names, crossed)).toEqual(answers);
    expect(answers[names[0]!]).toMatchObject({ source: 'one', vintage: '2024', notes: 'made up' });
    expect(crossed.texts.filter(text => text === 'one')).toHaveLength(1);
  });

  it('name the dataset of each field where nothing could be read', () => {
    const nothing: Finding = finding({ status: 'failed', value: null, citations: [], error: 'gone' });
    const written = writeAnswers(asked, { findings: asked.map(() => nothing), moments: asked.map(() => START) });
    const read = readAnswers(names, written);
    expect(names.map(name => read[name]!.source)).toEqual(asked.map(({ dataset }) => dataset.id));
    expect(names.map(name => read[name]!.sourceUrl)).toEqual(asked.map(({ dataset }) => dataset.url));
  });

  it('are none of no fields', () => {
    expect(readAnswers([], writeAnswers([], { findings: [], moments: [] }))).toEqual({});
  });
});

describe('a list of names', () => {
  it('stands for its fields, in order and each as often as it is named', () => {
    const twice = [names[2]!, names[0]!, names[2]!];
    expect(requestedFields(catalog, twice).map(({ field }) => field.name)).toEqual(twice);
  });

  it('is refused where the catalog lacks a name', () => {
    expect(() => requestedFields(catalog, [names[0]!, 'no_such_field'])).toThrow(RangeError);
  });
});
