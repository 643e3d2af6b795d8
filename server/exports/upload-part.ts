import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { openLocator } from '../geocode/resolver.ts';
import { withinEnvelope } from '../locator.ts';
import type { PartRow } from './part.ts';
import type { PlaceRow, SentPolygon } from './place-row.ts';
import type { ExportThreads } from './threads.ts';

/** Addresses that are resolved at once. */
const AT_ONCE = 4;

/** Rows of an upload whose places were found, and what that costs. */
interface FoundRows {
  readonly rows: readonly PartRow[];
  readonly credits: number;
}

type Point = readonly [lng: number, lat: number];

/** A point inside the envelope, or the code of what is wrong with it. */
const within = (point: Point): Point | string =>
  withinEnvelope({ lng: point[0], lat: point[1] }) ? point : 'coord_out_of_bounds';

/** Resolves addresses, the same one once. @returns by address the point or a code. */
async function resolved(ctx: Ctx, addresses: ReadonlySet<string>) {
  const points = new Map<string, Point | string>();
  let credits = 0;
  const queue = addresses.values();
  const lane = async () => {
    for (const address of queue)
      try {
        const open = await openLocator(ctx, { address });
        const { point } = await open.resolve();
        credits += open.credits;
        points.set(address, [point.lng, point.lat]);
      } catch (error) {
        if (ctx.signal.aborted || !(error instanceof ServiceError)) throw error;
        points.set(address, error.code);
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { points, credits };
}

/**
 * Finds the places of some rows: an address by the geocoder, a polygon by a point inside of it. A row without a place has a code
 * instead; the others do not hang on it.
 * @param first number of the first row, from 1.
 */
export async function placesOfRows(
  ctx: Ctx,
  threads: ExportThreads,
  rows: readonly PlaceRow[],
  first: number,
): Promise<FoundRows> {
  const sent = rows.flatMap(({ polygon }) => polygon ?? []) satisfies SentPolygon[];
  const inside = sent.length > 0 ? (await threads.points(sent)).values() : [].values();
  const { points, credits } = await resolved(ctx, new Set(rows.flatMap(({ address }) => address ?? [])));
  const placed = rows.map(({ custom_id, point, address, polygon }, i): PartRow => {
    const found: Point | string = polygon
      ? (inside.next().value ?? 'invalid_geometry')
      : address === undefined
        ? point!
        : points.get(address)!;
    const place = typeof found === 'string' ? found : within(found);
    return {
      row: first + i,
      custom_id,
      ...(address === undefined ? {} : { address }),
      ...(polygon ? { polygon } : {}),
      point: typeof place === 'string' ? null : place,
      error: typeof place === 'string' ? place : null,
    };
  });
  return { rows: placed, credits };
}
