import { frameLines, headLine, recordLine, sourceLine } from './lines.ts';
import { failuresAt, type Group, type Named, type Parts, withValueAt } from './slim.ts';
import { costOf, identityOf, LEAST, split } from './split.ts';
import { tokensOf } from './token-estimate.ts';

/** An answer that fits: its structured part, its text, and what was cut off. */
export interface Fitting {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
  /** Null where nothing was. */
  readonly rest: Parts | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Tokens that `cut` and `next` take in both forms, and what the commas between all parts may add. */
const CONTINUATION = 180;

/** Members that explain an answer: they come after what was asked for, where they are long. */
const EXPLAINING: ReadonlySet<string> = new Set([
  ...['not_installed', 'not_published', 'columns', 'datasets', 'counties', 'notes', 'note', 'hint', 'follow_ups'],
  ...['fields_used', 'sets_lacking'],
]);
/** One that is said last, however short. */
const TRACE = 'trace';
/** Members that lead past what was cut: they come with the last part. */
const LEADING: ReadonlySet<string> = new Set(['next_cursor', 'next']);
/** Share of the room up to which an explanation is short. */
const SHORT = 1 / 10;

const jsonTokens = (value: unknown): number => tokensOf(JSON.stringify(value) ?? '');
const recordTokens = (named: Named): number => jsonTokens({ [named[0]]: named[1] }) + tokensOf(recordLine(named));
const headTokens = (group: Group): number => jsonTokens(group.heads) + tokensOf(headLine(group));

const isFailure = ({ heads, records }: Group): boolean =>
  records.length === 0 && heads.some(head => (head as { ok?: unknown } | null)?.ok === false);

/** What is shown of a group, and what is left of what was cut within it. */
interface Chosen {
  heads: Group['heads'];
  readonly records: Map<string, Named[1]>;
  /** What is left of its head; undefined where it is whole. */
  head?: unknown;
  /** The record that was cut, with what is left of it. */
  record?: Named;
}

/** Chooses what is shown of an answer: members of its frame, and records of its groups. */
class Choice {
  readonly frame: Record<string, unknown> = {};
  /** Members of the frame that are left. */
  readonly left: Record<string, unknown>;
  readonly chosen = new Map<number, Chosen>();
  /** Sources by their places, in the order in which parts name them. */
  readonly told: number[];
  readonly #parts: Parts;
  readonly #whole: number;
  #room: number;
  #isEmpty = true;

  constructor(parts: Parts, room: number) {
    this.#parts = parts;
    this.#room = room;
    this.#whole = room;
    this.left = { ...(parts.frame as Json) };
    this.told = [...(parts.told ?? [])];
  }

  /** Takes members of the frame. @returns false when not all of them have room. */
  members(keys: readonly string[]): boolean {
    const wanted = Object.fromEntries(keys.map(key => [key, this.left[key]]));
    if (keys.length === 0) return true;
    const cost = costOf(wanted);
    // What has room in a part of its own waits for one.
    if (!this.#isEmpty && cost > this.#room && (cost <= this.#whole || this.#room < LEAST)) return false;
    const { shown, rest } = split(wanted, this.#room, this.#whole);
    const pieces = shown as Json;
    for (const key of keys) delete this.left[key];
    // What tells what a piece is about is in both, and need not be said of the answer again.
    for (const [key, value] of Object.entries((rest ?? {}) as Json)) if (value !== pieces[key]) this.left[key] = value;
    Object.assign(this.frame, pieces);
    this.#room -= costOf(pieces);
    // Beside a few words a record that is too long for any part may begin.
    if (costOf(pieces) > SHORT * this.#whole) this.#isEmpty = false;
    return rest === undefined;
  }

  /** Takes a group's head, and one of its records where it has any. @returns false when it has no room. */
  take(place: number, named: Named | null): boolean {
    const group = this.#parts.groups[place]!;
    const head = this.chosen.has(place) ? 0 : headTokens(group);
    const source = named && !this.told.includes(named[1].source) ? this.#parts.sources[named[1].source]! : null;
    const provenance = source ? jsonTokens(source) + tokensOf(sourceLine(source, 99)) + 4 : 0;
    const cost = head + provenance + (named ? recordTokens(named) : 0);
    if (cost > this.#room && !this.#isEmpty) return false;
    const room = this.#room;
    const isCut = cost > room;
    const chosen: Chosen = this.chosen.get(place) ?? { heads: group.heads, records: new Map() };
    this.chosen.set(place, chosen);
    this.#isEmpty = false;
    this.#room -= cost;
    if (isCut && (!named || head > room / 2)) {
      // The head alone has more than all room, or leaves too little of it: its records follow.
      const [own, ...others] = group.heads;
      const { shown, rest } = others.length > 0 ? { shown: own, rest: undefined } : split(own, room);
      Object.assign(chosen, { heads: [shown, ...others], head: rest });
      return false;
    }
    if (!named) return true;
    if (source) this.told.push(named[1].source);
    const { shown, rest } = isCut
      ? split(named[1], Math.max(LEAST, room - head - provenance))
      : { shown: named[1], rest: undefined };
    chosen.records.set(named[0], shown as Named[1]);
    if (rest !== undefined) chosen.record = [named[0], rest as Named[1]];
    return !isCut;
  }

  /** Takes as many groups as there is room for: what failed first of all, then the others, in their order. */
  groups(): boolean {
    const { groups } = this.#parts;
    for (const [place, group] of groups.entries()) {
      if (isFailure(group) && !this.take(place, null)) return false;
      for (const named of group.records) if (named[1].status === 'failed' && !this.take(place, named)) return false;
    }
    for (const [place, group] of groups.entries()) {
      if (group.records.length === 0 && group.heads.length > 0 && !this.chosen.has(place) && !this.take(place, null))
        return false;
      for (const named of group.records)
        if (!this.chosen.get(place)?.records.has(named[0]) && !this.take(place, named)) return false;
    }
    return true;
  }

  /** Takes what is needed most first: what answers, then what explains it, then what leads on. */
  all(): void {
    const keys = Object.keys(this.left);
    const explains = (key: string) =>
      key === TRACE || (EXPLAINING.has(key) && costOf(this.left[key]) > SHORT * this.#whole);
    const later = keys.filter(explains);
    const own = keys.filter(key => !later.includes(key) && !LEADING.has(key));
    const explaining = [...later.filter(key => key !== TRACE), ...later.filter(key => key === TRACE)];
    if (!this.members(own) || !this.groups()) return;
    for (const key of explaining) if (!this.members([key])) return;
    this.members(keys.filter(key => LEADING.has(key)));
  }
}

/** The head of an entry that goes on: what it is about, and where it stands in its list. */
function continuing({ heads }: Group, place: number): Group['heads'] {
  const [own] = heads;
  if (own === undefined) return [];
  const identity = identityOf(own);
  return ['index', 'continues'].some(key => key in identity) ? [identity] : [{ continues: place, ...identity }];
}

/** What is left of the groups after those that were chosen. */
function restOf({ groups }: Parts, chosen: Choice['chosen']): Group[] {
  return groups.flatMap((group, i) => {
    const place = group.place ?? i;
    const shown = chosen.get(i);
    if (!shown) return group.heads.length === 0 && group.records.length === 0 ? [] : [{ ...group, place }];
    const { head, record } = shown;
    const records = group.records.flatMap(named => {
      if (record?.[0] === named[0]) return [record];
      return shown.records.has(named[0]) ? [] : [named];
    });
    if (records.length === 0 && head === undefined) return [];
    const [own] = continuing(group, place);
    const heads = head === undefined ? continuing(group, place) : [{ ...(own as Json), ...(head as Json) }];
    return [{ heads, records, place }];
  });
}

/** Says what is left. */
function cutText({ lists }: Parts, rest: readonly Group[], members: readonly string[]): string {
  const records = rest.reduce((sum, group) => sum + group.records.length, 0);
  const parts = [
    ...(lists.length > 0 && rest.length > 0 ? [`${rest.length} entries`] : []),
    ...(records > 0 ? [`${records} fields`] : []),
    ...members.filter(key => !LEADING.has(key)),
  ];
  return `Left: ${parts.length > 0 ? parts.join(', ') : 'where it goes on'}. See next.`;
}

/** The sources that a part names first: a list in the first part, by their numbers in those that follow. */
function sourcesIn({ told: before = [], sources }: Parts, told: readonly number[]): object {
  const fresh = told.slice(before.length).map(place => sources[place]!);
  if (fresh.length === 0) return {};
  return { sources: before.length === 0 ? fresh : Object.fromEntries(fresh.map((one, i) => [before.length + i, one])) };
}

/**
 * Cuts an answer at whole records so that both forms of it together have at most so many tokens. All parts together are the answer:
 * each says only what is new. What failed is never cut while any other record is there.
 */
export function cutToFit(parts: Parts, most: number): Fitting {
  const { lists, at } = parts;
  if (typeof parts.frame !== 'object' || parts.frame === null)
    return { structured: parts.frame as never, lines: [], rest: null };
  const choice = new Choice(parts, most - CONTINUATION);
  choice.all();
  const { chosen, told } = choice;
  const rest = restOf(parts, chosen);
  const lines: string[] = [];
  const entries: (readonly unknown[])[] = [];
  const order = Object.keys(parts.frame).filter(key => key in choice.frame);
  let whole: unknown = Object.fromEntries(order.map(key => [key, choice.frame[key]]));
  for (const [, { heads, records }] of [...chosen].sort(([a], [b]) => a - b)) {
    const named = [...records].map(([name, one]) => [name, { ...one, source: told.indexOf(one.source) }] as Named);
    const failures = named.filter(([, { status }]) => status === 'failed').map(([field]) => ({ field }));
    const fill = (head: unknown) => {
      if (named.length === 0) return head;
      const filled = withValueAt(head, at, Object.fromEntries(named));
      return failures.length > 0 ? withValueAt(filled, failuresAt(at), failures) : filled;
    };
    if (lists.length === 0) whole = fill(whole);
    else {
      lines.push(headLine({ heads, records: [] }));
      entries.push(heads.map((head, i) => (i === 0 ? fill(head) : head)));
    }
    lines.push(...named.map(one => (lists.length === 0 ? recordLine(one) : `  ${recordLine(one)}`)));
  }
  const isFirst = parts.told === undefined;
  for (const [i, path] of lists.entries())
    if (isFirst || entries.length > 0)
      whole = withValueAt(
        whole,
        path,
        entries.map(heads => heads[i]),
      );
  const left = Object.keys(choice.left);
  const isCut = rest.length > 0 || left.length > 0;
  const fresh = sourcesIn(parts, told);
  const cut = isCut ? cutText(parts, rest, left) : null;
  // What is told record by record and entry by entry is not told with the rest.
  const hidden = lists.length > 0 ? lists.filter(path => path.length === 1).flat() : [at[0], ...failuresAt(at)];
  const said = Object.fromEntries(Object.entries(choice.frame).filter(([key]) => !hidden.includes(key)));
  const before = parts.told?.length ?? 0;
  return {
    structured: { ...(whole as Json), ...fresh, ...(cut === null ? {} : { cut }) },
    lines: [
      ...frameLines(said),
      ...lines,
      ...told.slice(before).map((place, i) => sourceLine(parts.sources[place]!, before + i)),
      ...(cut === null ? [] : [cut]),
    ],
    rest: isCut ? { ...parts, frame: choice.left, groups: rest, told } : null,
  };
}
