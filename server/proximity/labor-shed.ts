import { type Ctx, termsOf } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { entryOf, locateAll, refuseCanada, requirePoints, requireSome } from './locator.ts';
import { minutesOf } from './matrix.ts';
import type { Meter } from './meter.ts';
import { askPlaces } from './places.ts';
import type { Routing } from './provider/provider.ts';
import { type BodyOf, MOST_TRACTS } from './schema.ts';

/**
 * Finds the tracts between two drive times around a place, and how many people live and work there.
 * @throws ServiceError shed_too_large when there are more tracts than one answer holds, and the errors of routing.
 */
export async function laborShed(ctx: Ctx, routing: Routing, meter: Meter, body: BodyOf<'labor_shed'>) {
  const { min_minutes = 0, max_minutes } = body;
  const located = await locateAll(ctx, 'origin', [body.origin]);
  refuseCanada('labor_shed', located, true);
  requirePoints('origin', located);
  const point = located[0]!.point!;
  const limit = max_minutes * 60;
  const near = await askPlaces(ctx, { kind: 'tracts', ...point, metres: (limit * routing.fastest) / 3.6 }, 'near');
  await meter.take(routing.charges(near.tracts.length, MOST_TRACTS));
  const { found, cited, origin, places } = await routing.within(point, near.tracts, limit, termsOf(ctx));
  requireSome('origin', located, [origin]);
  const inside = found.filter(({ seconds }) => seconds >= min_minutes * 60);
  if (inside.length > MOST_TRACTS) throw new ServiceError('shed_too_large', { max: MOST_TRACTS });
  meter.correct(routing.charges(near.tracts.length, found.length));
  const tracts = inside.map(({ index, seconds }) => ({
    geoid: near.tracts[index]!.geoid,
    minutes: minutesOf(seconds),
  }));
  const totals = await askPlaces(ctx, { kind: 'totals', geoids: tracts.map(({ geoid }) => geoid) }, 'totals');
  const problems = places.flatMap(place => ('problem' in place ? [place.problem] : []));
  const { source, source_url, dataset_vintage } = near;
  return {
    origin: entryOf(located[0]!, origin),
    min_minutes,
    max_minutes,
    tracts: tracts.sort((a, b) => a.minutes - b.minutes || (a.geoid < b.geoid ? -1 : 1)),
    totals: {
      population: {
        value: inside.reduce((sum, { index }) => sum + near.tracts[index]!.population, 0),
        unit: 'people',
        ...{ source, source_url, dataset_vintage },
        tracts_without: 0,
        note: null,
      },
      ...totals,
    },
    coverage: {
      tracts: tracts.length,
      // Tracts that could be reached if all roads were as fast as the fastest.
      tracts_considered: near.tracts.length,
      tracts_without_road: problems.filter(problem => problem === 'no_road').length,
      tracts_outside_roads: problems.filter(problem => problem === 'outside').length,
      note: 'Each tract counts whole where its population-weighted point is reached; tracts that the release does not hold are missing.',
    },
    distances: 'driving',
    ...cited,
  };
}
