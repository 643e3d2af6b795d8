import type { Answered, Trace } from '../ask/schema.ts';
import type { Said } from './tool.ts';

/** Writes an answer as lines of text, with its citations and gaps, and with what may be asked next. */
export function answerLines({
  answer,
  confidence,
  citations,
  data_gaps: gaps,
  trace,
}: Answered & { readonly trace?: Trace }): string[] {
  const next = trace?.follow_ups ?? [];
  return [
    answer,
    `Confidence: ${confidence}.`,
    ...citations.map(
      ({ source, source_url: url, fields }) =>
        `Source: ${source}${url === null ? '' : ` (${url})`}: ${fields.join(', ')}`,
    ),
    ...gaps.map(({ field, status, reason }) => `No value: ${field} (${status}): ${reason}`),
    ...(next.length > 0 ? [`Can be asked next: ${next.join(' ')}`] : []),
  ];
}

/** An answer with its trace where that was asked for, and otherwise with what may be asked next alone. */
export function saidAnswer<A extends { readonly trace?: Trace }>(
  result: A,
  { include_trace: isAsked }: { readonly include_trace?: boolean },
): Pick<Said, 'structured' | 'beside'> {
  const { trace, ...answer } = result;
  if (isAsked) return { structured: result };
  const next = trace?.follow_ups ?? [];
  return { structured: answer, ...(next.length > 0 ? { beside: { follow_ups: next } } : {}) };
}
