import { jsonText } from '../text/json-numbers.ts';
import { type Box, DEPTH, quartersOf, WORLD } from './arcgis/ground.ts';
import { Passing } from './client.ts';
import { AcquireError } from './fault.ts';
import { PartFile } from './part-file.ts';
import type { Content, Seen, Source, SourceReader, Tools } from './source-reader.ts';

/** A page of OGC API - Features, Part 1: Core (OGC 17-069r4), as GeoJSON. */
interface Page {
  readonly type?: string;
  readonly features?: readonly { readonly id?: string | number }[];
  readonly links?: readonly { readonly rel?: string; readonly href?: string; readonly type?: string }[];
  readonly numberMatched?: number;
  readonly numberReturned?: number;
}

/** Rows of a page; a server that allows fewer sends fewer, and a link to the rest. */
const PAGE = 10_000;

/** The address of the items with the rows of a page, and of the ground if one is asked for. */
function itemsOf({ url, box }: Source, limit: number): string {
  const address = new URL(url);
  address.searchParams.set('f', 'json');
  address.searchParams.set('limit', String(limit));
  if (box) address.searchParams.set('bbox', box.join(','));
  return address.href;
}

/** One page. @throws AcquireError when it is none, Passing when it lacks rows that it announces. */
function pageOf(client: Tools['client'], url: string, signal?: AbortSignal): Promise<Page> {
  return client.patiently(
    url,
    async () => {
      const page = (await client.jsonOnce(url, signal)) as Page | null;
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

/** Parameters that each page has of its own. */
const OF_PAGE = ['limit', 'offset', 'startindex', 'f'];

/**
 * The address of the next page; null on the last. Conditions that the link leaves out are those of this page: MapServer drops
 * the ground from it. @throws AcquireError for one of another host.
 */
function nextOf({ links = [] }: Page, url: string): string | null {
  const href = links.find(({ rel, type }) => rel === 'next' && !/html/.test(type ?? ''))?.href;
  if (href === undefined) return null;
  const next = URL.parse(href, url);
  if (!next || next.host !== new URL(url).host)
    throw new AcquireError('wrong_content', url, `its next page is ${href}, which is not its own`);
  const address = new URL(url);
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
  constructor(url: string, id: string | number, matched: number | null) {
    const why = 'it takes no offsets, or rows were edited meanwhile';
    super('unstable', url, `its next page repeats rows of those before, as ${id}: ${why}`);
    this.matched = matched;
  }
}

/** Page by page along the links called next. @throws RepeatedPage, AcquireError. */
async function* alongLinks(source: Source, { client, signal }: Tools): AsyncGenerator<Piece> {
  const ids = new Set<string | number>();
  const pages = new Set<string>();
  let matched: number | null = null;
  for (let url: string | null = itemsOf(source, PAGE); url !== null; ) {
    if (pages.has(url)) throw new AcquireError('wrong_content', url, 'is the next page of a later one');
    pages.add(url);
    const page: Page = await pageOf(client, url, signal);
    const features = page.features!;
    matched ??= page.numberMatched ?? null;
    for (const { id } of features) {
      if (id !== undefined && ids.has(id)) {
        if (pages.size > 1) throw new RepeatedPage(url, id, matched);
        throw new AcquireError('unstable', url, `row ${id} came twice on one page`);
      }
      if (id !== undefined) ids.add(id);
    }
    yield { features, matched };
    url = nextOf(page, url);
  }
}

/** By boxes that are quartered until each comes whole. @throws AcquireError. */
async function* overGround(source: Source, { client, signal }: Tools, matched: number): AsyncGenerator<Piece> {
  // Rows on the edge of two boxes come with both.
  const seen = new Set<string>();
  async function* pieces(box: Box, depth: number): AsyncGenerator<Piece> {
    const url = itemsOf({ ...source, box }, PAGE);
    const page = await pageOf(client, url, signal);
    const features = page.features!;
    if (nextOf(page, url) === null || features.length >= (page.numberMatched ?? Number.POSITIVE_INFINITY)) {
      const fresh = features.filter(feature => {
        const key = feature.id === undefined ? jsonText(feature) : String(feature.id);
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
    if (matched !== null && rows !== matched)
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
  async look(source, { client, signal }): Promise<Seen> {
    const page = await pageOf(client, itemsOf(source, 1), signal);
    const { properties } = (page.features?.[0] ?? {}) as { properties?: object };
    const columns = properties ? Object.keys(properties) : undefined;
    const rows = page.numberMatched ?? null;
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
