import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../../bench/proximity/roads.ts';
import { Snapper } from '../../../query/route/snap.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { largestDifference, PGROUTING_INSTALLED, pgRoutingSeconds } from './pgrouting.ts';
import { pointOn } from './plain-search.ts';
import { town } from './town.ts';

describe.skipIf(!PGROUTING_INSTALLED)('pgRouting on the same graph (skipped without postgresql-15-pgrouting)', () => {
  let cluster: SharedPostgres;
  beforeAll(async () => {
    cluster = await sharedPostgres();
  });
  afterAll(() => cluster?.drop());

  it('finds the same times for 10,000 pairs', async () => {
    const { roads, graph } = town(30, 11);
    const random = randomFrom(12);
    const snapper = new Snapper(graph);
    const places = Array.from({ length: 200 }, () => {
      const { lng, lat } = pointOn(roads[Math.floor(random() * roads.length)]!, random());
      return snapper.snap(lng, lat, 100)!;
    });
    const [origins, destinations] = [places.slice(0, 100), places.slice(100)];
    const { seconds } = await pgRoutingSeconds(await cluster.database(), graph, origins, destinations);
    const { largest, reached } = largestDifference(graph, origins, destinations, seconds);
    expect(reached).toBeGreaterThan(8_000);
    expect(largest).toBeLessThan(0.1);
  });
});
