import { tokensOf } from './token-estimate.ts';

/** Tokens of a value in both forms of an answer: the structured part and the text. */
export const costOf = (value: unknown): number => 2 * tokensOf(JSON.stringify(value) ?? '');

/** A value in two pieces. */
export interface Pieces {
  readonly shown: unknown;
  /** Undefined where all of it is shown. */
  readonly rest: unknown;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys that tell what a piece belongs to: every piece has them. */
const IDENTITY: ReadonlySet<string> = new Set([
  ...['index', 'continues', 'parcel_id', 'apn', 'name', 'id', 'field', 'reason', 'path'],
  ...['unit', 'status', 'confidence', 'source'],
]);
/** Characters of a text that still tells what a piece belongs to, and of one that is worth no cut. */
const SHORT = 200;

const isShort = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= SHORT : typeof value !== 'object' || value === null;

/** The members of an object that tell what it is about. */
export const identityOf = (value: unknown): Json =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key, inner]) => IDENTITY.has(key) && isShort(inner)))
    : {};

/** The members of an object in the order of what is needed most: short ones first, as names and statuses are. */
const byNeed = (members: readonly (readonly [string, unknown])[]) => [
  ...members.filter(([, value]) => isShort(value)),
  ...members.filter(([, value]) => !isShort(value)),
];

/** Cuts a text between two words. One word is never cut: names and numbers are of no use in part. */
function splitText(text: string, room: number): Pieces {
  const most = Math.max(SHORT, Math.floor((text.length * room * 0.9) / costOf(text)));
  const before = text.lastIndexOf(' ', most);
  const end = before > 0 ? before : text.indexOf(' ', most);
  if (text.length <= most || end <= 0) return { shown: text, rest: undefined };
  return { shown: `${text.slice(0, end)} …`, rest: text.slice(end + 1) };
}

function splitList(list: readonly unknown[], room: number, whole: number): Pieces {
  let left = room;
  let count = 0;
  for (const entry of list) {
    const cost = costOf(entry) + 2;
    if (cost > left) break;
    left -= cost;
    count++;
  }
  if (count > 0) return { shown: list.slice(0, count), rest: list.slice(count) };
  const [first, ...others] = list;
  const { shown, rest } = split(first, room, whole);
  return { shown: [shown], rest: rest === undefined && others.length === 0 ? undefined : restList(rest, others) };
}

const restList = (rest: unknown, others: readonly unknown[]) => (rest === undefined ? others : [rest, ...others]);

/** Tokens below which nothing is begun that does not fit. */
export const LEAST = 120;

/** Takes members as long as there is room. What would not fit into a part of its own is cut. */
function splitMembers(value: Json, room: number, whole: number): Pieces {
  const identity = identityOf(value);
  const shown: Record<string, unknown> = { ...identity };
  const rest: Record<string, unknown> = {};
  let left = room - costOf(identity);
  let isFull = false;
  let isEmpty = true;
  for (const [key, inner] of byNeed(Object.entries(value).filter(([name]) => !(name in identity)))) {
    const cost = costOf({ [key]: inner });
    if (!isFull && cost <= left) {
      shown[key] = inner;
      left -= cost;
      isEmpty = false;
      continue;
    }
    const isCut = !isFull && (isEmpty || (cost > whole && left > LEAST));
    isFull = true;
    if (!isCut) {
      rest[key] = inner;
      continue;
    }
    const pieces = split(inner, Math.max(LEAST, left - costOf({ [key]: 0 })), whole);
    shown[key] = pieces.shown;
    if (pieces.rest !== undefined) rest[key] = pieces.rest;
    isEmpty = false;
  }
  const inOrder = Object.fromEntries(Object.keys(value).flatMap(key => (key in shown ? [[key, shown[key]]] : [])));
  return { shown: inOrder, rest: Object.keys(rest).length === 0 ? undefined : { ...identity, ...rest } };
}

/** Whether it is a geometry. Half of one would be another. */
const isShape = (value: Json): boolean => typeof value.type === 'string' && Array.isArray(value.coordinates);

/**
 * Cuts a value at whole members and entries, and a long text between words. Both pieces together are the value: lists follow each
 * other, members stand beside each other. Names, numbers and statuses stay whole.
 * @param room tokens of the first piece. @param whole tokens of a part that has nothing else in it.
 */
export function split(value: unknown, room: number, whole: number = room): Pieces {
  if (costOf(value) <= room) return { shown: value, rest: undefined };
  if (typeof value === 'string') return splitText(value, room);
  if (Array.isArray(value)) return splitList(value, room, whole);
  if (!isObject(value)) return { shown: value, rest: undefined };
  if (!isShape(value)) return splitMembers(value, room, whole);
  const note = `Of about ${costOf(value)} tokens in both forms: ask with more max_tokens, or in the full view.`;
  return { shown: { type: value.type, omitted: true, note }, rest: undefined };
}
