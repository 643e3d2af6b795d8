/** An answer of the service. */
interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what tests of tasks find out
  readonly json: any;
}

interface Filter {
  readonly field: string;
  readonly op: string;
  readonly value: unknown;
}

interface Lot {
  readonly apn: string | null;
  readonly analysis_point: { readonly lat: number; readonly lng: number };
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Requests that a task may take. */
export const MOST_ASKED = 3;

/** Somebody who knows everyday words and no name of the service, follows its hints, and counts what is asked. */
export class Newcomer {
  readonly #post: (path: string, body: unknown) => Promise<Reply>;
  asked = 0;
  /** The last answer. */
  last: Reply | null = null;

  constructor(post: (path: string, body: unknown) => Promise<Reply>) {
    this.#post = post;
  }

  async ask(path: string, body: unknown): Promise<Reply> {
    this.asked++;
    this.last = await this.#post(path, body);
    return this.last;
  }

  /**
   * Walks through a search by filters in everyday words. Each wrong name is replaced by one of those that its hint tells.
   * @param meant what somebody who reads the hint is looking for.
   * @returns all matches; none where a hint tells no such name, or only some that the release lacks.
   */
  async search(filters: readonly Filter[], meant: RegExp): Promise<Lot[]> {
    const first = await this.ask('/v1/search', { filters, limit: 100 });
    const mended = this.#mended(filters, meant);
    if (!mended) return [];
    let page = mended !== filters ? await this.ask('/v1/search', { filters: mended, limit: 100 }) : first;
    const lots: Lot[] = [...(page.json.matches ?? [])];
    while (page.json.next_cursor) {
      page = await this.ask('/v1/search', { filters: mended, limit: 100, cursor: page.json.next_cursor });
      lots.push(...page.json.matches);
    }
    return lots;
  }

  /**
   * Counts what passes filters in everyday words, and learns names as a search does.
   * @returns the answer; null where a hint tells no name that is meant.
   */
  async count(filters: readonly Filter[], meant: RegExp): Promise<Reply | null> {
    const first = await this.ask('/v1/search/count', { filters });
    const mended = this.#mended(filters, meant);
    if (mended === filters) return first;
    return mended && this.ask('/v1/search/count', { filters: mended });
  }

  /** The filters with the names that the last answer tells; null where it tells none of those that are meant. */
  #mended(filters: readonly Filter[], meant: RegExp): readonly Filter[] | null {
    const issues = (this.last!.json.detail?.issues ?? []) as readonly { path: string; hint: string }[];
    if (issues.length === 0) return filters;
    const names = new Map(issues.map(({ path, hint }) => [path, told(hint).find(name => meant.test(name))]));
    if ([...names.values()].includes(undefined)) return null;
    return filters.map((filter, i) => ({ ...filter, field: names.get(`filters[${i}].field`) ?? filter.field }));
  }

  /** Fetches a field by an everyday word, then by the first name that the refusal tells. */
  async fetch({ lat, lng }: { readonly lat: number; readonly lng: number }, word: string): Promise<Reply> {
    const first = await this.ask('/v1/fetch', { lat, lng, fields: [word] });
    if (first.status !== 400) return first;
    return this.ask('/v1/fetch', { lat, lng, fields: [first.json.detail.suggestions[0].nearest[0]] });
  }
}

/** The names in a hint that the release has. */
const told = (hint: string): string[] =>
  [...hint.matchAll(/`(\w+)`(?! \(not in this release\))/g)].map(([, name]) => name!);
