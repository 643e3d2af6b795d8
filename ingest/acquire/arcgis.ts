import { Passing } from './client.ts';
import { AcquireError } from './fault.ts';
import { PartFile } from './part-file.ts';
import type { Content, Seen, Source, SourceReader, Tools } from './source-reader.ts';

/** A layer of a feature or map service, as it describes itself. */
interface Description {
  readonly error?: { readonly code?: number; readonly message?: string };
  readonly name?: string;
  readonly objectIdField?: string;
  readonly fields?: readonly { readonly name: string; readonly type: string }[];
  readonly maxRecordCount?: number;
  readonly editingInfo?: { readonly lastEditDate?: number; readonly dataLastEditDate?: number };
}

interface Page {
  readonly error?: { readonly code?: number; readonly message?: string };
  readonly features?: readonly { readonly id?: number; readonly properties?: Readonly<Record<string, unknown>> }[];
}

/** How far a walk over the ids has come. */
interface Walk {
  /** Ids that were written. */
  readonly done: number;
  /** Bytes of the part up to there. */
  readonly bytes: number;
}

const HEAD = '{"type":"FeatureCollection","features":[';
/** Features of one request. Services allow 1,000 to 2,000 by default, and are slow for layers with many fields. */
const PAGE = 1000;

/**
 * Asks the service and returns its JSON. A service may report an error in an answer of 200.
 * @throws Passing for errors of the service itself (429 and 5xx), AcquireError for others.
 */
async function fetchJson<T extends { readonly error?: Page['error'] }>(
  url: string,
  { client, signal }: Tools,
): Promise<T> {
  return client.patiently(
    url,
    async () => {
      const said = (await client.json(url, signal)) as T;
      if (!said.error) return said;
      const { code = 0, message = 'no reason' } = said.error;
      if (code === 429 || code >= 500) throw new Passing(`the service says ${code}: ${message}`);
      throw new AcquireError(code === 404 ? 'gone' : 'forbidden', url, `the service says ${code}: ${message}`);
    },
    signal,
  );
}

const query = (url: string, parameters: Record<string, string>) => `${url}/query?${new URLSearchParams(parameters)}`;

async function described({ url }: Source, tools: Tools) {
  const said = await fetchJson<Description>(`${url}?f=json`, tools);
  const id = said.objectIdField ?? said.fields?.find(({ type }) => type === 'esriFieldTypeOID')?.name;
  if (!id) throw new AcquireError('wrong_content', url, 'describes no layer with object ids');
  const edited = said.editingInfo?.dataLastEditDate ?? said.editingInfo?.lastEditDate;
  return {
    id,
    page: Math.min(PAGE, said.maxRecordCount ?? PAGE),
    changedAt: edited ? new Date(edited).toISOString() : null,
  };
}

/** Returns the object ids of all rows, ascending. @throws Passing when there are not as many as the service counts. */
async function idsOf({ url, where }: Source, tools: Tools): Promise<number[]> {
  const base = { where: where || '1=1', f: 'json' };
  return tools.client.patiently(
    url,
    async () => {
      const { objectIds } = await fetchJson<{ error?: Page['error']; objectIds?: number[] | null }>(
        query(url, { ...base, returnIdsOnly: 'true' }),
        tools,
      );
      const { count } = await fetchJson<{ error?: Page['error']; count?: number }>(
        query(url, { ...base, returnCountOnly: 'true' }),
        tools,
      );
      const ids = [...new Set(objectIds ?? [])].sort((a, b) => a - b);
      if (ids.length !== count) throw new Passing(`counts ${count} rows and names ${ids.length}`);
      return ids;
    },
    tools.signal,
  );
}

/** Returns the features of the ids, each exactly once. @throws Passing when the page repeats or lacks rows. */
async function pageOf(
  source: Source,
  id: string,
  ids: readonly number[],
  tools: Tools,
): Promise<NonNullable<Page['features']>> {
  const [first, last] = [ids[0]!, ids.at(-1)!];
  const range = `${id} >= ${first} AND ${id} <= ${last}`;
  const url = query(source.url, {
    where: source.where ? `(${source.where}) AND ${range}` : range,
    outFields: '*',
    outSR: '4326',
    orderByFields: id,
    f: 'geojson',
  });
  const { features = [] } = await fetchJson<Page>(url, tools);
  const found = new Map(features.map(feature => [Number(feature.id ?? feature.properties?.[id]), feature]));
  if (found.size !== features.length)
    throw new Passing(`the page from ${first} to ${last} repeats ${features.length - found.size} rows`);
  const missing = ids.filter(want => !found.has(want));
  if (missing.length > 0) {
    // The service may send fewer rows than its limit allows: ask for the two halves.
    if (ids.length > 1 && features.length < ids.length) {
      const half = ids.length >> 1;
      return [
        ...(await pageOf(source, id, ids.slice(0, half), tools)),
        ...(await pageOf(source, id, ids.slice(half), tools)),
      ];
    }
    throw new Passing(
      `the page from ${first} to ${last} lacks ${missing.length} rows, ${missing.slice(0, 3).join(', ')}`,
    );
  }
  return ids.map(want => found.get(want)!);
}

/** Returns a text that changes with the rows: the time of the last edit, and a digest of the ids. */
const stampOf = (changedAt: string | null, ids: readonly number[]) =>
  `${changedAt ?? ''} ${ids.length} ${ids[0] ?? ''}-${ids.at(-1) ?? ''} ${ids.reduce((sum, n) => (sum * 31 + n) % 2_147_483_647, 7)}`;

/**
 * Downloads a layer of an ArcGIS feature or map service by its object ids, as GeoJSON in longitude and latitude. The file
 * holds every id that the service names exactly once, and the count at the end equals the count at the beginning.
 */
export const arcgis: SourceReader = {
  async look(source, tools): Promise<Seen> {
    const { changedAt } = await described(source, tools);
    const ids = await idsOf(source, tools);
    return { stamp: stampOf(changedAt, ids), changedAt, bytes: null, rows: ids.length };
  },

  async take(source, held, target, tools): Promise<Content | null> {
    let restarts = 0;
    const part = new PartFile<Walk>(target, `${source.url} ${source.where}`);
    for (;;) {
      const { id, page, changedAt } = await described(source, tools);
      const ids = await idsOf(source, tools);
      const stamp = stampOf(changedAt, ids);
      // A service without a date of edits cannot say that nothing changed.
      if (held?.stamp === stamp && changedAt !== null) return null;
      const resumable = await part.resumable();
      let walk: Walk = { done: 0, bytes: HEAD.length };
      if (resumable?.stamp === stamp && resumable.bytes >= resumable.state.bytes) {
        walk = resumable.state;
        await part.cut(walk.bytes);
      } else {
        await part.start(stamp, walk);
        const file = await part.append();
        await file.write(HEAD);
        await file.close();
      }
      const file = await part.append();
      try {
        while (walk.done < ids.length) {
          const wanted = ids.slice(walk.done, walk.done + page);
          const features = await tools.client.patiently(
            source.url,
            () => pageOf(source, id, wanted, tools),
            tools.signal,
          );
          const text = `${walk.done > 0 ? ',' : ''}\n${features.map(f => JSON.stringify(f)).join(',\n')}`;
          const { bytesWritten } = await file.write(text);
          await file.sync();
          walk = { done: walk.done + wanted.length, bytes: walk.bytes + bytesWritten };
          part.mark(stamp, walk);
          tools.came(walk.bytes, Math.round((walk.bytes / walk.done) * ids.length));
        }
        const after = stampOf((await described(source, tools)).changedAt, await idsOf(source, tools));
        if (after === stamp) {
          await file.write('\n]}\n');
          await file.sync();
          await part.done();
          return { url: source.url, stamp, changedAt, rows: ids.length };
        }
      } finally {
        await file.close();
      }
      if (++restarts > 3)
        throw new AcquireError(
          'unstable',
          source.url,
          'rows were edited each time while they were read; try again later',
        );
    }
  },
};
