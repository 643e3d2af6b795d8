import type { Beyond, Evidence, Part, Plan, Usage } from './backend.ts';
import type { Trace } from './schema.ts';

/** Questions that a trace leads to. */
export const FOLLOW_UPS = 3;

type TracedPart = Trace['parts'][number];

function statusOf({ fields, beyond, refused }: Part, answered: boolean): TracedPart['status'] {
  if (beyond) return 'elsewhere';
  if (fields.length === 0 && refused !== undefined) return 'not_in_release';
  return answered ? 'answered' : 'unknown';
}

/** What became of each part of a question, with the value of the first of its fields that has one. */
function tracedParts({ parts }: Plan, evidence: readonly Evidence[]): TracedPart[] {
  const by = new Map(evidence.map(one => [one.field, one]));
  return parts.map(part => {
    const first = part.fields.map(field => by.get(field)).find(one => one?.record.status === 'ok');
    const { value, unit } = first?.over ?? first?.record ?? { value: null, unit: null };
    return {
      text: part.text,
      status: statusOf(part, first !== undefined),
      fields: [...part.fields],
      value,
      unit,
      compared_to: first?.standing ?? null,
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
    case 'opinion':
      return null;
  }
}

/** The requests that may answer what this answer does not, each once. */
function nextCalls({ parts }: Plan): Trace['next'] {
  const calls = parts.flatMap(({ beyond, text }) => (beyond ? (callFor(beyond, text) ?? []) : []));
  return [...new Map(calls.map(call => [JSON.stringify(call), call])).values()];
}

/** What is known of an answer when it has been written. */
interface Traced {
  readonly backend: string;
  readonly plan: Plan;
  readonly evidence: readonly Evidence[];
  readonly usage: Usage;
  /** Questions that are answered for the same place, best first. */
  readonly followUps: readonly string[];
}

/** The way to an answer. */
export const traceOf = (
  { backend, plan, evidence, usage, followUps }: Traced,
  { sentences, dropped }: Pick<Trace, 'sentences' | 'dropped'>,
): Trace => ({
  backend,
  fields_requested: plan.fields,
  preset_expanded: plan.preset,
  ...usage,
  sentences,
  dropped,
  parts: tracedParts(plan, evidence),
  follow_ups: followUps.slice(0, FOLLOW_UPS),
  next: nextCalls(plan),
});
