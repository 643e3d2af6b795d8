import type { Message } from '../../mail/mailer.ts';
import { cut, inert, oneLine, quoted } from '../../mail/quotation.ts';
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

/** Most bytes of UTF-8 of the words of a mail, and of its document. */
const PROSE_BYTES = 10 * 1024;
export const DOCUMENT_BYTES = 64 * 1024;
/** Bytes of what a requester asked for, of what was found, and of an operator's explanation. */
const ASK_BYTES = 160;
const EXPLANATION_BYTES = 480;
const REASON_BYTES = 2_000;

const SUBJECTS: Readonly<Record<EventType, string>> = {
  screening_completed: 'Your field request was screened',
  request_live: 'Your field is live',
  request_live_low_confidence: 'Your field is live, with a caveat',
  request_blocked: 'Your field request cannot be met',
};

const reason = (text: string) => cut(oneLine(text), REASON_BYTES);

function paragraphsOf(event: EventType, payload: Payload): string[] {
  if (event === 'screening_completed')
    return [
      `Field request ${payload.request_id} was screened; it is ${payload.status} now.`,
      // Explanations repeat what was claimed and wanted, so they are a requester's words too.
      ...(payload.disposition ?? []).map(
        ({ ask, explanation }) => `${quoted(ask, ASK_BYTES)}: ${inert(explanation, EXPLANATION_BYTES)}`,
      ),
    ];
  if (event === 'request_blocked') {
    const { explanation = '', counter_offer = null } = payload.blocked_reason ?? {};
    return [
      `Field request ${payload.request_id} is blocked: ${reason(explanation)}`,
      ...(counter_offer === null ? [] : [`What can be had instead: ${reason(counter_offer)}`]),
    ];
  }
  const { field_id, value, unit, citation, caveat, confidence } = payload;
  const of = citation ? ` (${citation.source}${citation.source_url ? `, ${citation.source_url}` : ''})` : '';
  return [
    `The field ${field_id} of field request ${payload.request_id} is live.`,
    `At your first example location it is ${inert(String(value), EXPLANATION_BYTES)}${unit ? ` ${unit}` : ''}${of}, with ${confidence} confidence.`,
    ...(caveat ? [`Whoever cites the value must say: ${reason(caveat)}`] : []),
  ];
}

/** As many of the paragraphs as fit into the bytes; a last one says that there are more. */
function fitting(paragraphs: readonly string[], bytes: number): string[] {
  const more = 'The rest stands in the document below.';
  const out: string[] = [];
  let left = bytes - more.length;
  for (const paragraph of paragraphs) {
    left -= Buffer.byteLength(paragraph) + 2;
    if (left < 0) return [...out, more];
    out.push(paragraph);
  }
  return out;
}

/**
 * Makes the mail of an event: what happened in words, where to read more, how to get no more mail, and the JSON document
 * in a code fence, which is never altered.
 * @param text JSON text of the document. @param poll URL of the request. @param stop URL that ends mail to the address.
 * @returns null when the document is longer than a mail may carry.
 */
export function messageOf(
  to: string,
  event: EventType,
  text: string,
  { poll, stop }: { readonly poll: string; readonly stop: string },
): Message | null {
  const payload = JSON.parse(text) as Payload;
  const document = [JSON.stringify(payload, null, 2), JSON.stringify(payload)].find(
    written => Buffer.byteLength(written) <= DOCUMENT_BYTES,
  );
  if (document === undefined) return null;
  const last = [
    `What became of it is read at ${poll}`,
    `You get this mail because this address was named for field requests. To get no more of them, open ${stop}`,
  ];
  const lastBytes = last.reduce((sum, paragraph) => sum + Buffer.byteLength(paragraph) + 2, 0);
  const prose = [...fitting(paragraphsOf(event, payload), PROSE_BYTES - lastBytes), ...last];
  return {
    to,
    subject: `${SUBJECTS[event]} (${payload.request_id})`,
    text: [...prose, `\`\`\`json\n${document}\n\`\`\``].join('\n\n'),
    stop,
  };
}
