import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../../ingest/acquire/client.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { Publisher } from './publisher.ts';

/** Habits of servers of OGC API Features that others have described; the source of each stands beside it. */

const publisher = new Publisher();
const folder = mkdtempSync(join(tmpdir(), 'plat-ogc-'));
const ITEMS = '/ogcapi/collections/wells/items';
let sources: string;

beforeAll(async () => void (await publisher.start()));
beforeEach(() => {
  sources = mkdtempSync(join(folder, 's-'));
  publisher.handlers.clear();
  publisher.log.length = 0;
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

const taking = () =>
  take({
    sources,
    file: 'wells.geojson',
    located: { via: 'ogc', url: `${publisher.origin}${ITEMS}`, where: '', resource: null, vintage: null },
    taken: new TakenFiles(sources),
    client: new Client({ wait: async () => {}, retries: 1 }),
    now: () => new Date('2026-11-24T06:00:00Z'),
  });
const wells = () =>
  JSON.parse(readFileSync(join(sources, 'wells.geojson'), 'utf8')).features.map(
    ({ properties }: { properties: { n: number } }) => properties.n,
  );
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

interface Page {
  /** What stands on a page of rows from a first one on. */
  readonly more?: (first: number, size: number) => object;
  readonly id?: (n: number) => string | number | null | undefined;
  readonly most?: number;
}

/** Serves so many rows by offset and limit. @param refuses a status for a question; null where it is answered. */
function serve(
  count: number,
  { more = () => ({}), id = n => n, most = 20 }: Page,
  refuses: (asked: URLSearchParams) => number | null = () => null,
): void {
  publisher.handlers.set(ITEMS, (_, response, { searchParams }) => {
    const status = refuses(searchParams);
    if (status !== null) return void response.writeHead(status).end('{"code":"InvalidParameterValue"}');
    const first = Number(searchParams.get('offset') ?? 0);
    const size = Math.min(most, Number(searchParams.get('limit') ?? 10));
    const features = upTo(count)
      .slice(first, first + size)
      .map(n => ({
        type: 'Feature',
        ...(id(n) === undefined ? {} : { id: id(n) }),
        geometry: { type: 'Point', coordinates: [-68.8, 44.8] },
        properties: { n },
      }));
    response.end(JSON.stringify({ type: 'FeatureCollection', features, ...more(first, size) }));
  });
}
const next = (href: string) => ({ links: [{ rel: 'next', type: 'application/geo+json', href }] });

describe('a server of an OGC API', () => {
  // github.com/CrunchyData/pg_featureserv/issues/192: neither a count nor a link; github.com/geopython/pygeoapi/issues/1594 and
  // 1658: the links end before the rows do.
  it.each<[string, (first: number) => object]>([
    ['links nor counts', () => ({})],
    [
      'links enough',
      first => ({ numberMatched: 90, ...(first < 40 ? next(`${ITEMS}?limit=20&offset=${first + 20}`) : {}) }),
    ],
  ])('that neither %s is asked by offsets', async (_, more) => {
    serve(90, { more });
    expect((await taking()).taken.rows).toBe(90);
    expect(wells()).toEqual(upTo(90));
  });

  it('that takes no offsets has come whole with its last page', async () => {
    serve(15, {});
    const well = publisher.handlers.get(ITEMS)!;
    publisher.handlers.set(ITEMS, (request, response, url) => {
      url.searchParams.delete('offset');
      well(request, response, url);
    });
    expect((await taking()).taken.rows).toBe(15);
  });

  // github.com/qgis/QGIS/issues/53367 and 66887: behind a proxy a server names itself as the proxy knows it.
  it('that links pages of a host behind its proxy is asked itself', async () => {
    const more = (first: number, size: number) =>
      first + size < 50 ? next(`http://backend:8080/internal/collections/wells/items?offset=${first + size}`) : {};
    serve(50, { more });
    expect((await taking()).taken.rows).toBe(50);
  });

  it('that says for ever that there is more, and sends nothing, is refused unless all that it counts have come', async () => {
    const more = (first: number, size: number) => next(`${ITEMS}?offset=${first + size}`);
    serve(30, { more });
    await expect(taking()).rejects.toThrow(/says again and again that there are more rows, and sends none/);
    serve(30, { more: (first, size) => ({ ...more(first, size), numberMatched: 30 }) });
    expect((await taking()).taken.rows).toBe(30);
  });

  // github.com/opengeospatial/ogcapi-common/issues/173: a limit beyond the server's own may be an error.
  it.each<[string, (asked: URLSearchParams) => boolean]>([
    ['a limit beyond its own', asked => Number(asked.get('limit')) > 500],
    ['a format in the address', asked => asked.has('f')],
    ['any limit', asked => asked.has('limit')],
  ])('that refuses %s is asked without', async (_, isRefused) => {
    const more = (first: number, size: number) =>
      first + size < 50 ? next(`${ITEMS}?offset=${first + size}`) : { links: [] };
    serve(50, { more }, asked => (isRefused(asked) ? 400 : null));
    const { taken } = await taking();
    expect(taken.rows).toBe(50);
  });

  it.each<[string, number | string | null]>([
    ['-1', -1],
    ['a word', 'unknown'],
    ['null', null],
  ])('that says %s where it counts nothing is read', async (_, numberMatched) => {
    const more = (first: number, size: number) => ({ numberMatched, ...(first === 0 ? next(`${ITEMS}?offset=${size}`) : {}) }); // biome-ignore format: one line
    serve(33, { more });
    expect((await taking()).taken.rows).toBe(33);
  });

  // Tables without a key have null, or nothing, for the id of each row.
  it.each([null, '', undefined])('whose ids are all %s is read', async id => {
    serve(50, { id: () => id, more: (first, size) => (first + size < 50 ? next(`${ITEMS}?offset=${first + size}`) : {}) }); // biome-ignore format: one line
    expect((await taking()).taken.rows).toBe(50);
  });
});

describe('a server of an OGC API, of others', () => {
  it('that has null for no rows and no links is empty', async () => {
    publisher.handlers.set(
      ITEMS,
      (_, response) => void response.end(JSON.stringify({ type: 'FeatureCollection', features: null, links: null })),
    );
    expect((await taking()).taken.rows).toBe(0);
  });

  it('that links the next page in every format goes on in its JSON', async () => {
    const links = (first: number) => ({
      links: [
        'application/gml+xml;version=3.2',
        'text/html',
        'application/vnd.ogc.fg+json',
        'application/geo+json',
      ].map((type, i) => ({
        rel: 'next',
        type,
        href: `${ITEMS}?limit=20&offset=${first + 20}${i === 3 ? '' : `&f=${i}`}`,
      })),
    });
    serve(50, { more: first => (first + 20 < 50 ? links(first) : {}) }, asked =>
      /^\d$/.test(asked.get('f') ?? '') ? 406 : null,
    );
    expect((await taking()).taken.rows).toBe(50);
  });

  // Elasticsearch's track_total_hits is 10,000: what stands before it links no page behind so many rows.
  it.each([12_345, 10_000])('that counts no further than 10,000 sends all of %i rows', async count => {
    const more = (first: number, size: number) => ({
      numberMatched: 10_000,
      ...(first + size < Math.min(count, 10_000) ? next(`${ITEMS}?limit=5000&offset=${first + size}`) : {}),
    });
    serve(count, { most: 5000, more });
    expect((await taking()).taken.rows).toBe(count);
    serve(count, { most: 5000, more }, asked => (Number(asked.get('offset')) >= 10_000 ? 500 : null));
    await expect(taking()).rejects.toThrow(/answered 500/);
  });
});
