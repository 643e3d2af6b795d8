import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../../bench/proximity/roads.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import type { RoadGraph } from '../../../query/route/graph.ts';
import { graphIn, readGraphMemory } from '../../../query/route/shared-graph.ts';
import { type Snap, Snapper } from '../../../query/route/snap.ts';
import { stagedExtract } from '../../pipelines/steps/roads/staged.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { largestDifference, pgRoutingSeconds } from './pgrouting.ts';
import { pointOn } from './plain-search.ts';
import { town } from './town.ts';

describe('pgRouting on the same graph', { tags: ['pgRouting'] }, () => {
  let cluster: SharedPostgres;
  beforeAll(async () => {
    cluster = await sharedPostgres();
  });
  const scratch = mkdtempSync(join(tmpdir(), 'plat-pgrouting-'));
  afterAll(async () => {
    rmSync(scratch, { recursive: true, force: true });
    await cluster?.drop();
  });

  /** @param at a random place, which may be far from any road. */
  async function agrees(graph: RoadGraph, at: (random: () => number) => readonly [number, number], least: number) {
    const random = randomFrom(12);
    const snapper = new Snapper(graph);
    const places: Snap[] = [];
    while (places.length < 200) {
      const snap = snapper.snap(...at(random), 500);
      if (snap) places.push(snap);
    }
    const [origins, destinations] = [places.slice(0, 100), places.slice(100)];
    const { seconds } = await pgRoutingSeconds(await cluster.database(), graph, origins, destinations);
    const { largest, reached } = largestDifference(graph, origins, destinations, seconds);
    expect(reached).toBeGreaterThan(least);
    expect(largest).toBeLessThan(0.1);
  }
  /** Anywhere in the box of the roads. */
  const within =
    ({ facts: { box } }: RoadGraph) =>
    (random: () => number) =>
      [box[0] + random() * (box[2] - box[0]), box[1] + random() * (box[3] - box[1])] as const;

  it('finds the same times for 10,000 pairs of a town with turn rules', async () => {
    const { roads, graph } = town(30, 11);
    const street = (random: () => number) => {
      const { lng, lat } = pointOn(roads[Math.floor(random() * roads.length)]!, random());
      return [lng, lat] as const;
    };
    await agrees(graph, street, 8_000);
  });

  it('and of the synthetic area, as it was ingested', async () => {
    const { home } = await syntheticHome();
    const release = openRelease(home);
    const file = release
      .layer('census_tiger', 'road_graph')!
      .partitions[0]!.files.find(({ role }) => role === 'graph')!;
    const graph = graphIn(await readGraphMemory(release.pathOf(file)));
    await agrees(graph, within(graph), 9_999);
  });

  it('and of a real extract with its turn restrictions', { tags: ['published-files'] }, async () => {
    const { graph } = await stagedExtract(scratch, 'harrisburg');
    await agrees(graph, within(graph), 5_000);
  });
});
