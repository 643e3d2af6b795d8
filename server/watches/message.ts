import type { Catalog } from '../../datasets/catalog.ts';
import type { Message } from '../mail/mailer.ts';
import { inert } from '../mail/quotation.ts';
import type { WatchEvent } from './schema.ts';

/** Changes that are told in words; all stand in the document. */
const MOST_LINES = 20;
/** Bytes of a value, of a gap and of a name. */
const [VALUE_BYTES, GAP_BYTES, NAME_BYTES] = [120, 480, 80];
/** Bytes of a document that is laid out to be read. */
const LAID_OUT_BYTES = 64 * 1024;

type Change = WatchEvent['changes'][number];

const valueText = (answer: Change['before']): string => {
  if (answer === null) return 'not there';
  if (answer.status !== 'ok') return answer.status;
  return inert(typeof answer.value === 'string' ? answer.value : JSON.stringify(answer.value), VALUE_BYTES);
};

const MOVED: Readonly<Record<string, string>> = {
  entered: 'passes the filters now',
  left: 'passes the filters no more',
};

/** Title of a field. */
const titleOf = ({ fields }: Catalog, field: string): string => fields.get(field)?.title ?? field.replaceAll('_', ' ');

function lineOf(catalog: Catalog, { site_id, parcel_id, change, field, before, after }: Change): string {
  const of = inert(site_id === undefined ? `parcel ${parcel_id}` : `site ${site_id}`, NAME_BYTES);
  const moved = MOVED[change] ?? '';
  if (field === null) return `- ${of}: ${moved}`;
  const [old, fresh] = [valueText(before), valueText(after)];
  const values = old === fresh ? `${fresh}, of which more changed` : `${old} → ${fresh}`;
  return `- ${of}, ${titleOf(catalog, field)}: ${values}${moved === '' ? '' : ` (${moved})`}`;
}

/**
 * Makes the mail of an event: what changed in words, how to get no more, and the JSON document in a code fence.
 * @param stop URL that ends mail to the address.
 */
export function messageOf(
  to: string,
  event: WatchEvent,
  { catalog, publicUrl, stop }: { readonly catalog: Catalog; readonly publicUrl: string; readonly stop: string },
): Message {
  const { watch_id, since, release, total, changes, rest, gaps } = event;
  const lines = changes.slice(0, MOST_LINES).map(one => lineOf(catalog, one));
  const more = total - lines.length;
  const laidOut = JSON.stringify(event, null, 2);
  const document = Buffer.byteLength(laidOut) <= LAID_OUT_BYTES ? laidOut : JSON.stringify(event);
  const text = [
    `Watch ${watch_id}: ${total === 1 ? '1 change' : `${total} changes`} from release ${since} to ${release}.`,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(more > 0
      ? [
          `${more} more ${more === 1 ? 'change stands' : 'changes stand'} in the document below${rest === null ? '' : ` or at ${publicUrl}${rest}`}.`,
        ]
      : []),
    ...gaps.map(gap => inert(gap, GAP_BYTES)),
    `The watch is deleted at ${publicUrl}/console`,
    `You get this mail because this address was named for a watch. To get no more mail like this, open ${stop}`,
    `\`\`\`json\n${document}\n\`\`\``,
  ];
  return { to, subject: `What you watch has changed (${watch_id})`, text: text.join('\n\n'), stop };
}
