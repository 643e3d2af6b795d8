import type { Answered } from '../ask/schema.ts';

/** Writes an answer as lines of text, with its citations and gaps. */
export function answerLines({ answer, confidence, citations, data_gaps: gaps }: Answered): string[] {
  return [
    answer,
    `Confidence: ${confidence}.`,
    ...citations.map(
      ({ source, source_url: url, fields }) =>
        `Source: ${source}${url === null ? '' : ` (${url})`}: ${fields.join(', ')}`,
    ),
    ...gaps.map(({ field, status, reason }) => `No value: ${field} (${status}): ${reason}`),
  ];
}
