import { type Ctx, termsOf } from '../context.ts';
import { entryOf, locateAll, requirePoints, requireSome } from './locator.ts';
import type { Meter } from './meter.ts';
import type { Routing } from './provider/provider.ts';
import type { BodyOf } from './schema.ts';

/** Driving calculations charged for one area, which needs a search over every road within the time. */
const CALCULATIONS = 10;

/** Areas that can be reached within some minutes, the largest first. */
export async function isochrone(ctx: Ctx, routing: Routing, meter: Meter, body: BodyOf<'isochrone'>) {
  const located = await locateAll(ctx, 'origin', [body.origin]);
  requirePoints('origin', located);
  const minutes = [...new Set(body.minutes)].sort((a, b) => b - a);
  await meter.take(CALCULATIONS * minutes.length);
  const limits = minutes.map(value => value * 60);
  const { areas, origin, cited } = await routing.areas(located[0]!.point!, limits, termsOf(ctx));
  requireSome('origin', located, [origin]);
  return {
    type: 'FeatureCollection',
    features: areas.map((coordinates, i) => ({
      type: 'Feature',
      properties: { minutes: minutes[i]! },
      geometry: { type: 'MultiPolygon', coordinates },
    })),
    origin: entryOf(located[0]!, origin),
    distances: 'driving',
    ...cited,
  };
}
