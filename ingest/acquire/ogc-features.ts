import { jsonText } from '../text/json-numbers.ts';
import { type Box, DEPTH, quartersOf, WORLD } from './arcgis/ground.ts';
import { Passing } from './client.ts';
import { AcquireError } from './fault.ts';
import { PartFile } from './part-file.ts';
import type { Content, Seen, Source, SourceReader, Tools } from './source-reader.ts';

/** A page of OGC API - Features, Part 1: Core (OGC 17-069r4), as GeoJSON. */
interface Page {
  readonly type?: string;
  readonly features?: readonly { readonly id?: string | number | null }[];
  readonly links?: readonly { readonly rel?: string; readonly href?: string; readonly type?: string }[] | null;
  /** Some say -1 or "unknown". */
  readonly numberMatched?: number | string | null;
  readonly numberReturned?: number;
}

/** Rows of a page; a server that allows fewer sends fewer, and a link to the rest. */
const PAGE = 10_000;

/** How items are asked for: most rows of a page, and the format. A server may refuse what it does not know. */
interface Form {
  readonly limit?: number;
  readonly f?: 'json';
}

/** Forms of the question, in the order in which they are tried. */
const FORMS: readonly Form[] = [
  { limit: PAGE, f: 'json' },
  { limit: 1000, f: 'json' },
  { limit: 100, f: 'json' },
  { limit: 100 },
  {},
];
/** Servers over Elasticsearch count no further, as it does unless it is told to. */
const SEARCH_COUNT = 10_000;
/** Pages without rows, one after the other, that say that there are more. */
const MOST_EMPTY = 10;

/** The address of the items with the rows of a page, and of the ground if one is asked for. */
function itemsOf({ url, box }: Source, form: Form): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(form)) address.searchParams.set(name, String(value));
  if (box) address.searchParams.set('bbox', box.join(','));
  return address.href;
}

/** Rows that the service counts; null where it does not. */
const matchedOf = ({ numberMatched }: Page): number | null => {
  const count = Number(numberMatched ?? -1);
  return Number.isInteger(count) && count >= 0 ? count : null;
};

/** One page. @throws AcquireError when it is none, Passing when it lacks rows that it announces. */
function pageOf(client: Tools['client'], url: string, signal?: AbortSignal): Promise<Page> {
  return client.patiently(
    url,
    async () => {
      const said = (await client.jsonOnce(url, signal)) as Page | null;
      // Programs in Go write null for a list of nothing.
      const page = said?.features === null ? { ...said, features: [] } : said;
      if (page?.type !== 'FeatureCollection' || !Array.isArray(page.features))
        throw new AcquireError('wrong_content', url, 'answers no features');
      const { features, numberReturned } = page;
      if (numberReturned !== undefined && numberReturned !== features.length)
        throw new Passing(`announces ${numberReturned} rows and sends ${features.length}`);
      return page;
    },
    signal,
  );
}

/** The first page in the first form that the service takes. @param most rows that are wanted. @throws AcquireError. */
async function firstPage(source: Source, { client, signal }: Tools, most = PAGE) {
  for (const [i, { limit, f }] of FORMS.entries()) {
    const form = { ...(limit === undefined ? {} : { limit: Math.min(limit, most) }), ...(f ? { f } : {}) };
    const url = itemsOf(source, form);
    try {
      return { url, form, page: await pageOf(client, url, signal) };
    } catch (error) {
      const isRefused = error instanceof AcquireError && [400, 413, 422].includes(error.status ?? 0);
      if (!isRefused || i === FORMS.length - 1) throw error;
    }
  }
  throw new Error('no form of the question');
}

/** Parameters that each page has of its own. */
const OF_PAGE = ['limit', 'offset', 'startindex', 'f'];

/**
 * The address of the next page; null on the last. Conditions that the link leaves out are those of this page: MapServer drops
 * the ground from it. A server behind a proxy may name the host by which the proxy knows it, or http: its page is asked of this
 * address all the same. @throws AcquireError for one of something else.
 */
function nextOf({ links }: Page, url: string): string | null {
  const named = (links ?? []).filter(({ rel, type }) => rel === 'next' && !/html|gml|fg\+json/.test(type ?? ''));
  const { href } = named.find(({ type }) => type === 'application/geo+json') ?? named[0] ?? {};
  if (href === undefined) return null;
  const next = URL.parse(href, url);
  const address = new URL(url);
  const isOwn = next?.host === address.host;
  const itemsIn = ({ pathname }: URL) => /\/collections\/[^/]+\/items\/?$/.exec(pathname)?.[0];
  if (!next || (!isOwn && (itemsIn(next) === undefined || itemsIn(next) !== itemsIn(address))))
    throw new AcquireError('wrong_content', url, `its next page is ${href}, which is not its own`);
  if (!isOwn) next.pathname = address.pathname;
  next.host = address.host;
  next.protocol = address.protocol;
  if (next.pathname === address.pathname)
    for (const [name, value] of address.searchParams)
      if (!OF_PAGE.includes(name.toLowerCase()) && !next.searchParams.has(name)) next.searchParams.set(name, value);
  return next.href;
}

type Feature = NonNullable<Page['features']>[number];

/** Features that came together. */
interface Piece {
  readonly features: readonly Feature[];
  /** Rows of the whole; null where the service does not count. */
  readonly matched: number | null;
}

/** The next page has rows of those before. Another way may bring each once. */
class RepeatedPage extends AcquireError {
  readonly matched: number | null;
  constructor(url: string, id: string, matched: number | null) {
    const why = 'it takes no offsets, or rows were edited meanwhile';
    super('unstable', url, `its next page repeats rows of those before, as ${id}: ${why}`);
    this.matched = matched;
  }
}

/** What has come of a collection. */
class Arrived {
  readonly #ids = new Set<string | number>();
  /** Rows of the first page that have no ids. */
  readonly #texts = new Set<string>();
  #first: string | null = null;
  rows = 0;
  pages = 0;

  /** @returns a row of a page that came before; null where all are new. */
  repeated({ features = [] }: Page): string | null {
    const again = features.find(({ id }) => isId(id) && this.#ids.has(id))?.id;
    if (isId(again)) return String(again);
    const [first] = features;
    return first && this.#first === jsonText(first) ? 'its first' : null;
  }

  /** How many rows of a page are those of the first, or have an id that came before. */
  repeats({ features = [] }: Page): number {
    return features.filter(feature =>
      isId(feature.id) ? this.#ids.has(feature.id) : this.#texts.has(jsonText(feature)),
    ).length;
  }

  /** @throws AcquireError where a row is on the page twice. */
  add({ features = [] }: Page, url: string): void {
    for (const feature of features) {
      const { id } = feature;
      if (!isId(id)) {
        if (this.pages === 0) this.#texts.add(jsonText(feature));
        continue;
      }
      if (this.#ids.has(id)) throw new AcquireError('unstable', url, `row ${id} came twice on one page`);
      this.#ids.add(id);
    }
    this.pages++;
    this.rows += features.length;
    if (features.length > 0) this.#first ??= jsonText(features[0]);
  }
}

/** Some servers write null, or nothing, for the ids of rows that have none. */
const isId = (id: string | number | null | undefined): id is string | number =>
  id !== undefined && id !== null && id !== '';

/** The page behind a last one that names none: some servers name none. @returns null where there is none. @throws AcquireError. */
async function unnamedPage(base: string, arrived: Arrived, { client, signal }: Tools) {
  const address = new URL(base);
  address.searchParams.set('offset', String(arrived.rows));
  const page = await pageOf(client, address.href, signal).catch((error: unknown) => {
    if (error instanceof AcquireError && error.kind !== 'unreachable') return null;
    throw error;
  });
  const repeats = page ? arrived.repeats(page) : 0;
  if (!page || repeats === page.features!.length) return null;
  // Rows in another order each time: it takes no offsets, or too many rows are alike to tell.
  if (repeats > 0)
    throw new AcquireError('unstable', address.href, `${repeats} rows came before, and the service names no pages`);
  return { url: address.href, page };
}

/** Page by page along the links called next, and by offsets where there are none. @throws RepeatedPage, AcquireError. */
async function* alongLinks(source: Source, tools: Tools): AsyncGenerator<Piece> {
  const arrived = new Arrived();
  const pages = new Set<string>();
  const opening = await firstPage(source, tools);
  const matched = matchedOf(opening.page);
  let empty = 0;
  let { url, page }: { url: string; page: Page } = opening;
  for (;;) {
    pages.add(url);
    const again = arrived.repeated(page);
    if (again !== null && arrived.pages > 0) throw new RepeatedPage(url, again, matched);
    arrived.add(page, url);
    yield { features: page.features!, matched };
    empty = page.features!.length === 0 ? empty + 1 : 0;
    const next = nextOf(page, url);
    if (matched !== null && arrived.rows >= matched && empty > 0) return;
    if (empty > MOST_EMPTY)
      throw new AcquireError('wrong_content', url, 'says again and again that there are more rows, and sends none');
    if (next !== null) {
      if (pages.has(next)) throw new AcquireError('wrong_content', next, 'is the next page of a later one');
      url = next;
      page = await pageOf(tools.client, url, tools.signal);
      continue;
    }
    const isAll = matched === null || matched === SEARCH_COUNT ? empty > 0 : arrived.rows >= matched;
    const unnamed = isAll ? null : await unnamedPage(opening.url, arrived, tools);
    if (!unnamed) return;
    ({ url, page } = unnamed);
  }
}

/** By boxes that are quartered until each comes whole. @throws AcquireError. */
async function* overGround(source: Source, tools: Tools, matched: number): AsyncGenerator<Piece> {
  const { client, signal } = tools;
  const { form } = await firstPage(source, tools);
  // Rows on the edge of two boxes come with both.
  const seen = new Set<string>();
  async function* pieces(box: Box, depth: number): AsyncGenerator<Piece> {
    const url = itemsOf({ ...source, box }, form);
    const page = await pageOf(client, url, signal);
    const features = page.features!;
    if (nextOf(page, url) === null || features.length >= (matchedOf(page) ?? Number.POSITIVE_INFINITY)) {
      const fresh = features.filter(feature => {
        const key = isId(feature.id) ? String(feature.id) : jsonText(feature);
        return !seen.has(key) && seen.add(key);
      });
      yield { features: fresh, matched };
      return;
    }
    if (depth === 0)
      throw new AcquireError(
        'wrong_content',
        url,
        `more than ${features.length} rows lie on one spot, and it sends no more`,
      );
    for (const quarter of quartersOf(box)) yield* pieces(quarter, depth - 1);
  }
  yield* pieces(source.box ?? WORLD.box, DEPTH);
}

/** Writes pieces as one GeoJSON. @throws AcquireError where other rows come than are counted. */
async function written(
  pieces: AsyncIterable<Piece>,
  source: Source,
  target: string,
  came: Tools['came'],
): Promise<Content> {
  const part = new PartFile<null>(target, source.url);
  await part.start(null, null);
  const file = await part.append();
  let [rows, bytes, matched] = [0, 0, null as number | null];
  try {
    ({ bytesWritten: bytes } = await file.write('{"type":"FeatureCollection","features":['));
    for await (const { features, matched: of } of pieces) {
      matched = of;
      const text = features.map((feature, i) => `${rows + i === 0 ? '' : ','}\n${jsonText(feature)}`).join('');
      if (text !== '') bytes += (await file.write(text)).bytesWritten;
      rows += features.length;
      came(bytes, matched ? Math.round((bytes / Math.max(1, rows)) * matched) : null);
    }
    if (matched !== null && rows !== matched && !(matched === SEARCH_COUNT && rows > matched))
      throw new AcquireError('wrong_content', source.url, `${rows} rows came, and the service counts ${matched}`);
    await file.write('\n]}\n');
    await file.sync();
  } finally {
    await file.close();
  }
  await part.done();
  return { url: source.url, stamp: null, changedAt: null, rows };
}

/**
 * Downloads a collection of an OGC API as GeoJSON, page by page along the links called next, or by ground where each page repeats
 * the first and the service counts its rows. Each row comes once, and where the service says how many match, so many come.
 */
export const ogcFeatures: SourceReader = {
  async look(source, tools): Promise<Seen> {
    const { page } = await firstPage(source, tools, 1);
    const { properties } = (page.features?.[0] ?? {}) as { properties?: object };
    const columns = properties ? Object.keys(properties) : undefined;
    const rows = matchedOf(page);
    return { stamp: null, changedAt: null, bytes: null, rows, ...(columns ? { columns } : {}) };
  },

  async take(source, _held, target, tools): Promise<Content> {
    try {
      return await written(alongLinks(source, tools), source, target, tools.came);
    } catch (error) {
      if (!(error instanceof RepeatedPage) || error.matched === null) throw error;
      return written(overGround(source, tools, error.matched), source, target, tools.came);
    }
  },
};
