import { describe, expect, it } from 'vitest';
import type { Answer } from '../../query/answer.ts';
import { readAnswers, writeAnswers } from '../../query/written-answers.ts';

const answer = (more: Partial<Answer>): Answer => ({
  status: 'ok',
  value: 1,
  notes: null,
  confidence: 'high',
  source: 'a_source',
  sourceUrl: 'https://example.org/a',
  vintage: '2024',
  fetchedAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

describe('answers between threads', () => {
  it('are read as they were written, in their order', () => {
    const answers: Record<string, Answer> = {
      ten: answer({ value: 10.5, confidence: 'medium' }),
      text: answer({ value: 'Zone AE', notes: 'a note; another' }),
      zero: answer({ value: 0, sourceUrl: null, vintage: null }),
      no: answer({ value: false, confidence: 'low', fetchedAt: '2026-01-01T00:00:00.007Z' }),
      list: answer({ value: [1, 'two'] }),
      absent: answer({ status: 'absent', value: null, notes: 'nothing here' }),
      failed: answer({ status: 'failed', value: null, error: 'the file is damaged', retryable: true }),
      gone: answer({ status: 'failed', value: null, error: 'not installed', retryable: false, source: '' }),
    };
    const names = Object.keys(answers);
    const crossed = structuredClone(writeAnswers(names, answers));
    expect(readAnswers(names, crossed)).toEqual(answers);
    expect(Object.keys(readAnswers(names, crossed))).toEqual(names);
    expect(crossed.texts.filter(text => text === 'a_source')).toHaveLength(1);
  });

  it('are none of no fields', () => {
    expect(readAnswers([], writeAnswers([], {}))).toEqual({});
  });
});
