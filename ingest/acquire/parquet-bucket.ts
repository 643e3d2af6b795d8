import { createHash } from 'node:crypto';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Box } from '../../datasets/geometry.ts';
import { jsonText } from '../text/json-numbers.ts';
import { type Client, Passing } from './client.ts';
import { AcquireError } from './fault.ts';
import { PartFile } from './part-file.ts';
import type { Content, Seen, Source, SourceReader, Tools } from './source-reader.ts';

/** A file of a bucket, as its listing names it. */
interface Item {
  readonly url: string;
  readonly etag: string;
  readonly bytes: number;
}

/** How far a cut has come: files that are done, with the bytes and rows that are written. */
interface Progress {
  readonly files: number;
  readonly bytes: number;
  readonly rows: number;
}

const BEGINNING: Progress = { files: 0, bytes: 0, rows: 0 };
/** Bytes of the end of a file that are asked for first: the footers of large files are longer, those of small ones not. */
const FOOTER = { initialFetchSize: 1 << 16 };
const HEAD = '{"type":"FeatureCollection","features":[';

const textOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(xml)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The Parquet files of a listing of a bucket (Amazon S3, ListObjectsV2), all its pages. @throws AcquireError where it names none. */
async function itemsOf({ url }: Source, { client, signal }: Tools): Promise<Item[]> {
  const items: Item[] = [];
  const { origin, pathname } = new URL(url);
  const bucket = `${origin}${pathname.replace(/\/?$/, '/')}`;
  for (let token: string | undefined = ''; token !== undefined; ) {
    const page = new URL(url);
    if (token !== '') page.searchParams.set('continuation-token', token);
    const xml = await client.text(page.href, signal);
    if (!xml.includes('<ListBucketResult')) throw new AcquireError('wrong_content', url, 'is no listing of a bucket');
    for (const [, content = ''] of xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
      const key = textOf(content, 'Key') ?? '';
      if (!key.endsWith('.parquet')) continue;
      const path = key.split('/').map(encodeURIComponent).join('/');
      items.push({
        url: `${bucket}${path}`,
        etag: textOf(content, 'ETag') ?? '',
        bytes: Number(textOf(content, 'Size')),
      });
    }
    token = textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : undefined;
  }
  if (items.length === 0) throw new AcquireError('gone', url, 'the bucket has no Parquet file there');
  return items;
}

const stampOf = (items: readonly Item[]): string =>
  createHash('sha256')
    .update(items.map(({ url, etag, bytes }) => `${url} ${etag} ${bytes}\n`).join(''))
    .digest('hex');

/** A file that is read by ranges; one that is replaced meanwhile is refused by its tag. */
function rangedFile({ url, etag, bytes }: Item, client: Client, signal?: AbortSignal): AsyncBuffer {
  return {
    byteLength: bytes,
    slice: (start, end = bytes) =>
      client.patiently(
        url,
        async () => {
          const range = { range: `bytes=${start}-${end - 1}`, ...(etag === '' ? {} : { 'if-match': etag }) };
          const { status, headers, body } = await client
            .ask(url, { headers: range, signal })
            .catch((error: unknown) => {
              const isReplaced = error instanceof AcquireError && error.status === 412;
              throw isReplaced
                ? new AcquireError('unstable', url, 'was replaced while it was read; try again later')
                : error;
            });
          const parts: Buffer[] = [];
          if (status !== 206 || !headers['content-range']?.startsWith(`bytes ${start}-`)) {
            body.destroy();
            throw new AcquireError('wrong_content', url, 'is not sent by ranges');
          }
          for await (const part of body) parts.push(part as Buffer);
          const whole = Buffer.concat(parts);
          if (whole.length !== end - start) throw new Passing(`sent ${whole.length} bytes of ${end - start}`);
          return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length) as ArrayBuffer;
        },
        signal,
      ),
  };
}

type Corner = 'xmin' | 'ymin' | 'xmax' | 'ymax';
const CORNERS: readonly Corner[] = ['xmin', 'ymin', 'xmax', 'ymax'];

interface Geo {
  readonly primary_column: string;
  readonly columns: Readonly<
    Record<string, { readonly covering?: { readonly bbox?: Readonly<Record<Corner, readonly string[]>> } }>
  >;
}

/** The metadata "geo" of GeoParquet 1.1 with the columns of the boxes. @throws AcquireError without both. */
function coveringOf({ key_value_metadata }: FileMetaData, url: string) {
  const text = key_value_metadata?.find(({ key }) => key === 'geo')?.value;
  const geo = text ? (JSON.parse(text) as Geo) : null;
  const bbox = geo?.columns[geo.primary_column]?.covering?.bbox;
  if (!geo || !bbox || !CORNERS.every(corner => Array.isArray(bbox[corner])))
    throw new AcquireError('wrong_content', url, 'is no GeoParquet with boxes of its rows, which a cut needs');
  return { geometry: geo.primary_column, bbox };
}

/** Whether the rows of a group may meet a box, by the least and greatest corners that its footer says. */
function mayMeet(
  group: FileMetaData['row_groups'][number],
  bbox: ReturnType<typeof coveringOf>['bbox'],
  box: Box,
): boolean {
  const boundOf = (corner: Corner, bound: 'min_value' | 'max_value') => {
    const path = bbox[corner].join('.');
    const column = group.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === path);
    const value = column?.meta_data?.statistics?.[bound];
    return value === undefined ? null : Number(value);
  };
  const [west, south, east, north] = box;
  return (
    (boundOf('xmin', 'min_value') ?? west) <= east &&
    (boundOf('ymin', 'min_value') ?? south) <= north &&
    (boundOf('xmax', 'max_value') ?? east) >= west &&
    (boundOf('ymax', 'max_value') ?? north) >= south
  );
}

/** Members of structures as columns of their own, `names.primary`; lists as they are. */
function flat(value: Readonly<Record<string, unknown>>, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const isStructure = item !== null && typeof item === 'object' && !Array.isArray(item) && !(item instanceof Date);
    return isStructure ? flat(item as Record<string, unknown>, `${prefix}${name}.`) : [[`${prefix}${name}`, item]];
  });
}

/** The rows of a file that meet a box, as features of GeoJSON. */
async function* rowsOf(item: Item, box: Box, wanted: readonly string[] | null, tools: Tools): AsyncGenerator<string[]> {
  const file = rangedFile(item, tools.client, tools.signal);
  const metadata = await parquetMetadataAsync(file, FOOTER);
  const { geometry, bbox } = coveringOf(metadata, item.url);
  const [covering = ''] = bbox.xmin;
  const names = new Set(metadata.row_groups[0]?.columns.map(({ meta_data }) => meta_data?.path_in_schema[0] ?? ''));
  const columns = [...names].filter(
    name => wanted === null || wanted.includes(name) || name === geometry || name === covering,
  );
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    if (mayMeet(group, bbox, box)) {
      const rows = await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd, compressors });
      const [west, south, east, north] = box;
      yield rows
        .filter(row => {
          const corner = (name: Corner) =>
            Number(bbox[name].reduce((at: unknown, part) => (at as Record<string, unknown> | null)?.[part], row));
          return corner('xmin') <= east && corner('xmax') >= west && corner('ymin') <= north && corner('ymax') >= south;
        })
        .map(({ [geometry]: shape, [covering]: _, ...properties }) =>
          jsonText({ type: 'Feature', geometry: shape ?? null, properties: Object.fromEntries(flat(properties)) }),
        );
    }
    rowStart = rowEnd;
  }
}

/**
 * Cuts the ground out of the GeoParquet files of a public bucket, by ranged reads of the row groups whose boxes meet it, and writes
 * it as GeoJSON. The address is that of the listing, `https://BUCKET/?list-type=2&prefix=FOLDER/`; `resource` names the columns
 * to take, separated by commas.
 */
export const parquetBucket: SourceReader = {
  async look(source, tools): Promise<Seen> {
    const items = await itemsOf(source, tools);
    const metadata = await parquetMetadataAsync(rangedFile(items[0]!, tools.client, tools.signal), FOOTER);
    const paths = metadata.row_groups[0]?.columns.map(({ meta_data }) => meta_data?.path_in_schema.join('.') ?? '');
    return { stamp: stampOf(items), changedAt: null, bytes: null, rows: null, columns: paths ?? [] };
  },

  async take(source, held, target, tools): Promise<Content | null> {
    const { url, box, resource } = source;
    if (!box) throw new AcquireError('wrong_content', url, 'is cut by ground, and none is given');
    const items = await itemsOf(source, tools);
    const stamp = stampOf(items);
    if (held?.stamp === stamp) return null;
    const part = new PartFile<Progress>(target, [url, resource ?? '', box.join(',')].join(' '));
    const earlier = await part.resumable();
    let progress = BEGINNING;
    if (earlier?.stamp === stamp && earlier.bytes >= earlier.state.bytes) {
      progress = earlier.state;
      await part.cut(progress.bytes);
    } else await part.start(stamp, progress);
    const file = await part.append();
    const write = async (text: string) => (text === '' ? 0 : (await file.write(text)).bytesWritten);
    try {
      let { bytes, rows } = progress;
      if (bytes === 0) bytes += await write(HEAD);
      for (const [i, item] of items.entries()) {
        if (i < progress.files) continue;
        for await (const features of rowsOf(item, box, resource?.split(',') ?? null, tools)) {
          bytes += await write(features.map((feature, n) => `${rows + n === 0 ? '' : ','}\n${feature}`).join(''));
          rows += features.length;
          tools.came(bytes, null);
        }
        await file.sync();
        part.mark(stamp, { files: i + 1, bytes, rows });
      }
      await file.write('\n]}\n');
      await file.sync();
      await part.done();
      return { url, stamp, changedAt: null, rows };
    } finally {
      await file.close();
    }
  },
};
