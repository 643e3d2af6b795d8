import type { FileHandle } from 'node:fs/promises';
import { EsriGeometryError, geometryOf, SpoiltVertex } from '../../esri/esri-geometry.ts';
import { jsonText } from '../../text/json-numbers.ts';
import { AcquireError } from '../fault.ts';
import { PartFile } from '../part-file.ts';
import type { Content, Seen, Source, SourceReader, Tools } from '../source-reader.ts';
import { Refused } from './answer.ts';
import { type Batch, idOf, isOfOthers, MOST_UNREAD, type Walk } from './batch.ts';
import { ServiceLayer, type ServiceRow } from './layer.ts';
import { walkOf } from './walk.ts';

/** How far a walk has come. */
interface Progress {
  readonly next: number;
  /** Bytes of the part, and rows in it. */
  readonly bytes: number;
  readonly rows: number;
  readonly unread: readonly string[];
  readonly crs: string | null;
}

const BEGINNING: Progress = { next: 0, bytes: 0, rows: 0, unread: [], crs: null };
/** Times that a layer is begun anew because rows were edited. */
const RESTARTS = 3;

const headOf = (crs: string | null): string => {
  const member = crs === null ? '' : `"crs":${JSON.stringify({ type: 'name', properties: { name: crs } })},`;
  return `{"type":"FeatureCollection",${member}"features":[`;
};

/**
 * A row as a feature of GeoJSON in the coordinates of the layer; null for one with a vertex that is none.
 * @throws AcquireError for a geometry of no known form.
 */
function featureOf(row: ServiceRow, { idField }: Pick<Walk, 'idField'>, url: string): string | null {
  const id = idOf(row, idField);
  const numbered = id === null ? {} : { id };
  if (row.properties)
    return jsonText({ type: 'Feature', ...numbered, geometry: row.geometry, properties: row.properties });
  try {
    const geometry = geometryOf(row.geometry);
    return jsonText({ type: 'Feature', ...numbered, geometry, properties: row.attributes ?? {} });
  } catch (error) {
    if (error instanceof SpoiltVertex && id !== null) return null;
    if (!(error instanceof EsriGeometryError)) throw error;
    throw new AcquireError('wrong_content', url, `row ${id ?? '?'}: ${error.message}`);
  }
}

/** Appends a batch. @throws AcquireError when its coordinates are in another system than those before. */
async function appended(
  file: FileHandle,
  batch: Batch,
  walk: Walk,
  progress: Progress,
  url: string,
): Promise<Progress> {
  const { crs, next } = batch;
  const features = batch.rows.map(row => featureOf(row, walk, url));
  const rows = features.filter(feature => feature !== null);
  const spoilt = batch.rows.filter((_, i) => features[i] === null).map(row => String(idOf(row, walk.idField)));
  const unread = [...batch.unread, ...spoilt];
  const isFirst = progress.bytes === 0;
  if (rows.length > 0 && progress.rows > 0 && crs !== progress.crs)
    throw new AcquireError(
      'wrong_content',
      url,
      `a page is in ${crs ?? 'no system'} and those before in ${progress.crs}`,
    );
  const system = progress.rows > 0 ? progress.crs : crs;
  let text = rows.map(feature => `\n${feature}`).join(',');
  // The head names the system of the first rows.
  if (isFirst && rows.length > 0) text = headOf(system) + text;
  else if (progress.rows > 0 && rows.length > 0) text = `,${text}`;
  const { bytesWritten } = text === '' ? { bytesWritten: 0 } : await file.write(text);
  await file.sync();
  return {
    next,
    bytes: progress.bytes + bytesWritten,
    rows: progress.rows + rows.length,
    unread: [...progress.unread, ...unread],
    crs: system,
  };
}

const begin = async (source: Source, tools: Tools) => {
  const layer = await retried(tools, source.url, () => ServiceLayer.open(source, tools));
  return { layer, walk: await walkOf(layer) };
};

const retried = <T>({ client, signal }: Tools, url: string, attempt: () => Promise<T>): Promise<T> =>
  client.patiently(url, attempt, signal);

/**
 * The first rows of a layer as GeoJSON in its own system, to see what its columns hold.
 * @param most rows. @throws AcquireError.
 */
export async function firstRows(source: Source, tools: Tools, most: number): Promise<string> {
  const { url } = source;
  const layer = await retried(tools, url, () => ServiceLayer.open(source, tools));
  const { rows, crs } = await retried(tools, url, async () => {
    try {
      return await layer.rows(null, { resultRecordCount: String(most) });
    } catch (error) {
      // Servers before version 10.3 do not page.
      if (error instanceof Refused) return layer.rows(null);
      throw error;
    }
  }).catch((error: unknown) => {
    throw error instanceof Refused ? new AcquireError('wrong_content', url, error.message) : error;
  });
  const features = rows.slice(0, most).map(row => featureOf(row, layer, url));
  return `${headOf(crs)}${features.filter(feature => feature !== null).join(',')}]}`;
}

/**
 * Downloads a layer of an ArcGIS feature or map service, of version 10.0 or later, as GeoJSON in the layer's own system: a
 * server that projects picks a shift of datum of its own. The file holds every row that the service counts exactly once, but
 * for single rows that it fails to send, which are named; the count at the end equals the count at the beginning.
 */
export const arcgis: SourceReader = {
  async look(source, tools): Promise<Seen> {
    const { layer, walk } = await begin(source, tools);
    return { stamp: walk.stamp, changedAt: layer.changedAt, bytes: null, rows: walk.count, columns: layer.columns };
  },

  async take(source, held, target, tools): Promise<Content | null> {
    const { url, where, box } = source;
    const part = new PartFile<Progress>(target, [url, where, box?.join(',') ?? ''].join(' '));
    for (let restarts = 0; ; restarts++) {
      if (restarts > RESTARTS)
        throw new AcquireError('unstable', url, 'rows were edited each time while they were read; try again later');
      const { layer, walk } = await begin(source, tools);
      const { stamp } = walk;
      const { changedAt } = layer;
      // A service without a date of edits cannot say that nothing changed.
      if (held?.stamp === stamp && changedAt !== null) return null;
      const earlier = await part.resumable();
      let progress = BEGINNING;
      if (walk.resumes && earlier?.stamp === stamp && earlier.bytes >= earlier.state.bytes) {
        progress = earlier.state;
        await part.cut(progress.bytes);
      } else await part.start(stamp, progress);
      const file = await part.append();
      try {
        for await (const batch of walk.batches(progress.next)) {
          progress = await appended(file, batch, walk, progress, url);
          part.mark(stamp, progress);
          const total = walk.count === null ? null : (progress.bytes / Math.max(1, progress.rows)) * walk.count;
          tools.came(progress.bytes, total === null ? null : Math.round(total));
        }
        const { rows, unread } = progress;
        if ((await begin(source, tools)).walk.stamp !== stamp) continue;
        if (walk.count !== null && rows + unread.length !== walk.count)
          throw new AcquireError('wrong_content', url, `${rows} rows came, and the service counts ${walk.count}`);
        if (unread.length > 0 && (rows === 0 || unread.length > MOST_UNREAD))
          throw new AcquireError(
            'wrong_content',
            url,
            `${unread.length} of ${rows + unread.length} rows do not come, or are spoilt; the first is ${unread[0]}`,
          );
        await file.write(`${rows === 0 ? headOf(null) : ''}\n]}\n`);
        await file.sync();
        await part.done();
        const { without } = layer;
        return {
          ...{ url, stamp, changedAt, rows },
          ...(unread.length > 0 ? { unread } : {}),
          ...(without.length > 0 ? { without } : {}),
        };
      } catch (error) {
        if (isOfOthers(error) && (await begin(source, tools)).walk.stamp !== stamp) continue;
        if (error instanceof Refused) throw new AcquireError('wrong_content', url, error.message);
        throw error;
      } finally {
        await file.close();
      }
    }
  },
};
