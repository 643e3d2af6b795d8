import { jsonText } from '../../text/json-numbers.ts';
import { AcquireError } from '../fault.ts';
import { Refused } from './answer.ts';
import type { Walk } from './batch.ts';
import type { RowPage, ServiceLayer } from './layer.ts';

/** Times that the box of a layer is quartered: pieces of a few square metres. */
export const DEPTH = 24;

type Ground = NonNullable<ServiceLayer['extent']>;
export type Box = Ground['box'];

export const WORLD: Ground = { box: [-180, -90, 180, 90], system: '4326' };

/** Where the rows lie that are asked for: anywhere, where the layer does not say. */
const groundOf = ({ source, extent }: ServiceLayer): Ground =>
  source.box ? { box: source.box, system: '4326' } : (extent ?? WORLD);

const rowsIn = (layer: ServiceLayer, box: Box, inSR: string): Promise<RowPage> =>
  layer.patiently(() =>
    layer.rows(null, {
      ...{
        geometry: box.join(','),
        geometryType: 'esriGeometryEnvelope',
        spatialRel: 'esriSpatialRelIntersects',
        inSR,
      },
    }),
  );

/** The four quarters of a box. */
export function quartersOf([west, south, east, north]: Box): Box[] {
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return [
    [west, south, x, y],
    [x, south, east, y],
    [west, y, x, north],
    [x, y, east, north],
  ];
}

/**
 * A service that counts nothing may cut in silence: then its ground has rows in parts that the whole page lacks.
 * @throws Refused where the ground tells nothing: rows lie nowhere, or come whatever box is asked for.
 */
async function isWholeGround(layer: ServiceLayer, page: RowPage): Promise<boolean> {
  const ground = groundOf(layer);
  const texts = new Set(page.rows.map(jsonText));
  const isNowhere = ({ geometry }: RowPage['rows'][number]) => !geometry || Object.keys(geometry).length === 0;
  if (page.rows.some(isNowhere))
    throw new Refused('it counts no rows, and some lie nowhere, so that nothing tells whether it sends all');
  for (let [box, depth] = [ground.box as Box | undefined, DEPTH]; box && depth > 0 && texts.size > 0; depth--) {
    const parts: { readonly box: Box; readonly rows: number }[] = [];
    for (const quarter of quartersOf(box)) {
      const { rows } = await rowsIn(layer, quarter, ground.system);
      if (!rows.map(jsonText).every(row => texts.has(row))) return false;
      if (rows.length > 0) parts.push({ box: quarter, rows: rows.length });
    }
    if (texts.size > 1 && parts.length === 4 && parts.every(({ rows }) => rows === texts.size))
      throw new Refused('it counts no rows, and sends the same whatever box is asked for');
    // One part with all rows may be cut as the whole is.
    box = parts.length === 1 && parts[0]!.rows === texts.size ? parts[0]!.box : undefined;
  }
  return true;
}

/** All rows of one request. @throws Refused where the service has more than it sends at once. */
export async function atOnce(layer: ServiceLayer, count: number | null): Promise<Walk> {
  const page = await layer.patiently(() => layer.rows(null));
  const isWhole = count === null ? page.rows.length < layer.page : page.rows.length >= count;
  if (page.isCut || !isWhole || (count === null && !(await isWholeGround(layer, page))))
    throw new Refused(`it sends ${page.rows.length} rows at once`);
  const { rows, crs } = page;
  return {
    stamp: `${layer.changedAt ?? ''} ${rows.length} at once`,
    count,
    idField: layer.idField,
    resumes: false,
    async *batches() {
      yield { rows, crs, unread: [], next: 1 };
    },
  };
}

/** By ground: boxes that are quartered until each holds fewer rows than the service sends. @throws Refused as `isWholeGround`. */
export async function byGround(layer: ServiceLayer, count: number | null): Promise<Walk> {
  const { source, idField } = layer;
  const start = groundOf(layer);
  let limit = layer.page;
  if (count === null) {
    const whole = await layer.patiently(() => layer.rows(null));
    if (!(await isWholeGround(layer, whole))) limit = Math.min(limit, whole.rows.length);
  }
  async function* pieces(box: Box, depth: number): AsyncGenerator<RowPage> {
    const page = await rowsIn(layer, box, start.system);
    if (!page.isCut && page.rows.length < limit) {
      yield page;
      return;
    }
    if (depth === 0)
      throw new AcquireError(
        'wrong_content',
        source.url,
        `more than ${page.rows.length} rows lie on one spot, and it sends no more`,
      );
    for (const quarter of quartersOf(box)) yield* pieces(quarter, depth - 1);
  }
  return {
    stamp: `${layer.changedAt ?? ''} ${count ?? ''} ground`,
    count,
    idField,
    resumes: false,
    async *batches() {
      // Rows on the edge of two boxes come with both.
      const seen = new Set<string>();
      let next = 0;
      for await (const { rows, crs } of pieces(start.box, DEPTH)) {
        const fresh = rows.filter(row => {
          const key = jsonText(row);
          return !seen.has(key) && seen.add(key);
        });
        yield { rows: fresh, crs, unread: [], next: ++next };
      }
    },
  };
}
