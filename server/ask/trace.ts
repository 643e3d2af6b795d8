import type { Beyond, Evidence, Part, Plan } from './backend.ts';
import type { Trace } from './schema.ts';

type TracedPart = Trace['parts'][number];

function statusOf({ fields, beyond, refused }: Part, answered: boolean): TracedPart['status'] {
  if (beyond) return 'elsewhere';
  if (fields.length === 0 && refused !== undefined) return 'not_in_release';
  return answered ? 'answered' : 'unknown';
}

/** What became of each part of a question, with the value of the first of its fields that has one. */
export function tracedParts({ parts }: Plan, evidence: readonly Evidence[]): TracedPart[] {
  const records = new Map(evidence.map(({ field, record }) => [field, record]));
  return parts.map(part => {
    const first = part.fields.map(field => records.get(field)).find(record => record?.status === 'ok');
    return {
      text: part.text,
      status: statusOf(part, first !== undefined),
      fields: [...part.fields],
      value: first?.value ?? null,
      unit: first?.unit ?? null,
      compared_to: null,
      not_understood: [...part.unknown],
    };
  });
}

/** The request that may answer what goes beyond one place; null where none does. */
function callFor({ kind, written }: Beyond, question: string): Trace['next'][number] | null {
  switch (kind) {
    case 'set':
      return { method: 'POST', path: '/v1/search', body: null };
    case 'map':
      return { method: 'GET', path: '/tiles.json', body: null };
    case 'place':
      return { method: 'POST', path: '/v1/ask', body: { question, address: written } };
    case 'time':
      return null;
  }
}

/** The requests that may answer what this answer does not, each once. */
export function nextCalls({ parts }: Plan): Trace['next'] {
  const calls = parts.flatMap(({ beyond, text }) => (beyond ? (callFor(beyond, text) ?? []) : []));
  return [...new Map(calls.map(call => [JSON.stringify(call), call])).values()];
}
