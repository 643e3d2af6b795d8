import { frameLines, headLine, recordLine, sourceLine } from './lines.ts';
import { failuresAt, type Group, type Named, type Parts, type SlimRecord, withValueAt } from './slim.ts';
import { tokensOf } from './token-estimate.ts';

/** An answer that fits: its structured part, its text, and what was cut off. */
export interface Fitting {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
  /** Null where nothing was. */
  readonly rest: Parts | null;
}

/** Tokens that `cut` and `next` take in both forms, and what the commas between all parts may add. */
const CONTINUATION = 240;
/** Lengths to which the texts and lists of a part are cut, one after another, until it fits. */
const LENGTHS = [4_000, 1_200, 400, 120, 40, 12, 4];

/** Cuts the texts and lists in a value. Its shape stays. */
function shortened(value: unknown, length: number): unknown {
  if (typeof value === 'string') return value.length > length ? `${value.slice(0, length)}…` : value;
  if (Array.isArray(value)) return value.slice(0, Math.max(1, length / 10)).map(one => shortened(one, length));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, length)]));
}

/** Cuts a value in its texts where it has more tokens than it may. @param costOf in both forms of an answer. */
export function fitted<T>(value: T, most: number, costOf: (value: T) => number): T {
  let fitting = value;
  for (const length of LENGTHS) {
    if (costOf(fitting) <= most) break;
    fitting = shortened(value, length) as T;
  }
  return fitting;
}

const jsonTokens = (value: unknown): number => tokensOf(JSON.stringify(value) ?? '');
const recordTokens = (named: Named): number => jsonTokens({ [named[0]]: named[1] }) + tokensOf(recordLine(named));
const headTokens = (group: Group): number => jsonTokens(group.heads) + tokensOf(headLine(group));
const frameTokens = (frame: unknown): number => jsonTokens(frame) + tokensOf(frameLines(frame).join('\n'));

const isFailure = ({ heads, records }: Group): boolean =>
  records.length === 0 && heads.some(head => (head as { ok?: unknown } | null)?.ok === false);

/** What is shown of a group. */
interface Chosen {
  readonly heads: Group['heads'];
  readonly records: Map<string, SlimRecord>;
}

/** Chooses what is shown of an answer, record by record. */
class Choice {
  readonly chosen = new Map<number, Chosen>();
  readonly #parts: Parts;
  readonly #sources = new Set<number>();
  #left: number;

  constructor(parts: Parts, left: number) {
    this.#parts = parts;
    this.#left = left;
  }

  /** Takes a group's head, and one of its records where it has any. @returns false when it has no room. */
  take(place: number, named: Named | null): boolean {
    const group = this.#parts.groups[place]!;
    const isFirst = this.chosen.size === 0;
    const opens = !this.chosen.has(place);
    const head = opens ? headTokens(group) : 0;
    const source = named && !this.#sources.has(named[1].source) ? this.#parts.sources[named[1].source]! : null;
    const provenance = source ? jsonTokens(source) + tokensOf(sourceLine(source, 99)) : 0;
    const cost = head + provenance + (named ? recordTokens(named) : 0);
    if (cost > this.#left && !isFirst) return false;
    let heads = group.heads;
    let record = named;
    if (cost > this.#left) {
      // Alone it has more than all room: it is cut in its texts.
      const room = Math.max(0, this.#left - provenance);
      heads = fitted(group, record ? room / 2 : room, headTokens).heads;
      const used = headTokens({ ...group, heads });
      if (record) record = [record[0], fitted(record[1], room - used, one => recordTokens([record![0], one]))];
    }
    if (opens) this.chosen.set(place, { heads, records: new Map() });
    if (record) this.chosen.get(place)!.records.set(record[0], record[1]);
    if (named) this.#sources.add(named[1].source);
    this.#left -= cost;
    return true;
  }

  /** Takes as much as there is room for: what failed first of all, then the others, in their order. */
  takeAll(): void {
    const { groups } = this.#parts;
    for (const [place, group] of groups.entries()) {
      if (isFailure(group) && !this.take(place, null)) return;
      for (const named of group.records) if (named[1].status === 'failed' && !this.take(place, named)) return;
    }
    for (const [place, group] of groups.entries()) {
      if (group.records.length === 0 && !this.chosen.has(place) && !this.take(place, null)) return;
      for (const named of group.records)
        if (!this.chosen.get(place)?.records.has(named[0]) && !this.take(place, named)) return;
    }
  }
}

/** What is left of the groups after those that were chosen. */
function restOf({ groups }: Parts, chosen: Choice['chosen']): Group[] {
  return groups.flatMap((group, place) => {
    const shown = chosen.get(place);
    if (!shown) return group.heads.length === 0 && group.records.length === 0 ? [] : [group];
    const records = group.records.filter(([name]) => !shown.records.has(name));
    return records.length === 0 ? [] : [{ ...group, records }];
  });
}

/** Counts sources anew, in the order in which what is shown names them. */
class Renumbering {
  readonly sources: Parts['sources'][number][] = [];
  readonly #numbers = new Map<number, number>();
  readonly #all: Parts['sources'];

  constructor(all: Parts['sources']) {
    this.#all = all;
  }

  of([name, record]: Named): Named {
    let number = this.#numbers.get(record.source);
    if (number === undefined) {
      number = this.sources.push(this.#all[record.source]!) - 1;
      this.#numbers.set(record.source, number);
    }
    return [name, { ...record, source: number }];
  }
}

/** Says what was cut. */
function cutText({ groups, lists }: Parts, rest: readonly Group[]): string {
  const count = (all: readonly Group[]) => all.reduce((sum, { records }) => sum + records.length, 0);
  const [records, recordsLeft] = [count(groups), count(rest)];
  const parts = [
    ...(lists.length > 0 ? [`${rest.length} of ${groups.length} entries`] : []),
    ...(records > 0 ? [`${recordsLeft} of ${records} fields`] : []),
  ];
  return `The answer was cut to fit: ${parts.join(' with ')} are left, see next.`;
}

/**
 * Cuts an answer at whole records so that both forms of it together have at most so many tokens. What failed is never cut
 * while anything else is there. A single record that is too long is cut in its texts.
 */
export function cutToFit(parts: Parts, most: number): Fitting {
  const { lists, at, groups, sources } = parts;
  const room = most - CONTINUATION;
  const frame = fitted(parts.frame, groups.length > 0 ? (2 * room) / 3 : room, frameTokens);
  const choice = new Choice(parts, room - frameTokens(frame));
  choice.takeAll();
  const { chosen } = choice;
  const rest = restOf(parts, chosen);
  const numbers = new Renumbering(sources);
  const lines: string[] = [];
  const shown = [...chosen].sort(([a], [b]) => a - b);
  const entries: (readonly unknown[])[] = [];
  let whole: unknown = frame;
  for (const [, { heads, records }] of shown) {
    const named = [...records].map(one => numbers.of(one));
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
  for (const [i, path] of lists.entries())
    whole = withValueAt(
      whole,
      path,
      entries.map(heads => heads[i]),
    );
  const isCut = rest.length > 0;
  const kept = { ...(whole as Record<string, unknown>) };
  // A cursor leads past what was cut: it comes with the last part.
  if (isCut) delete kept.next_cursor;
  const structured = {
    ...kept,
    ...(numbers.sources.length > 0 ? { sources: numbers.sources } : {}),
    ...(isCut ? { cut: cutText(parts, rest) } : {}),
  };
  // What is told record by record and entry by entry is not told with the rest.
  const told = lists.length > 0 ? lists.filter(path => path.length === 1).flat() : [at[0], ...failuresAt(at)];
  const hidden = isCut ? [...told, 'next_cursor'] : told;
  const said = Object.fromEntries(Object.entries(frame as object).filter(([key]) => !hidden.includes(key)));
  return {
    structured,
    lines: [
      ...frameLines(said),
      ...lines,
      ...numbers.sources.map(sourceLine),
      ...(isCut ? [structured.cut as string] : []),
    ],
    rest: isCut ? { ...parts, groups: rest } : null,
  };
}
