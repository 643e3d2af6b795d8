import type { Message } from '../../mail/mailer.ts';
import type { EventType } from '../../state/field-requests/events.ts';

/** The parts of an event's JSON document that messages use. */
interface Payload {
  readonly request_id: string;
  readonly status: string;
  readonly disposition?: readonly { readonly ask: string; readonly explanation: string }[];
  readonly field_id?: string | null;
  readonly value?: unknown;
  readonly unit?: string | null;
  readonly citation?: { readonly source: string; readonly source_url: string | null } | null;
  readonly confidence?: string | null;
  readonly caveat?: string | null;
  readonly blocked_reason?: { readonly explanation: string; readonly counter_offer: string | null } | null;
}

const SUBJECTS: Readonly<Record<EventType, string>> = {
  screening_completed: 'Your field request was screened',
  request_live: 'Your field is live',
  request_live_low_confidence: 'Your field is live, with a caveat',
  request_blocked: 'Your field request cannot be met',
};

/** Puts a text on one line, so that a stranger's text cannot look like another paragraph or code fence. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('```', "'''").trim();

function paragraphsOf(event: EventType, payload: Payload): string[] {
  if (event === 'screening_completed')
    return [
      `Field request ${payload.request_id} was screened; it is ${payload.status} now.`,
      ...(payload.disposition ?? []).map(({ ask, explanation }) => `${oneLine(ask)}: ${oneLine(explanation)}`),
    ];
  if (event === 'request_blocked') {
    const { explanation = '', counter_offer = null } = payload.blocked_reason ?? {};
    return [
      `Field request ${payload.request_id} is blocked: ${oneLine(explanation)}`,
      ...(counter_offer === null ? [] : [`What can be had instead: ${oneLine(counter_offer)}`]),
    ];
  }
  const { field_id, value, unit, citation, caveat, confidence } = payload;
  const of = citation ? ` (${citation.source}${citation.source_url ? `, ${citation.source_url}` : ''})` : '';
  return [
    `The field ${field_id} of field request ${payload.request_id} is live.`,
    `At your first example location it is ${oneLine(String(value))}${unit ? ` ${unit}` : ''}${of}, with ${confidence} confidence.`,
    ...(caveat ? [`Whoever cites the value must say: ${oneLine(caveat)}`] : []),
  ];
}

/**
 * Makes the mail of an event: what happened in words, where to read more, and the JSON document in a code fence.
 * @param text JSON text of the document. @param pollUrl of the request.
 */
export function messageOf(to: string, event: EventType, text: string, pollUrl: string): Message {
  const payload = JSON.parse(text) as Payload;
  const body = [
    ...paragraphsOf(event, payload),
    `What became of it is read at ${pollUrl}`,
    `\`\`\`json\n${JSON.stringify(payload, null, 2)}\n\`\`\``,
  ];
  return { to, subject: `${SUBJECTS[event]} (${payload.request_id})`, text: body.join('\n\n') };
}
