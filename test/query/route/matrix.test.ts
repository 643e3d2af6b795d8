import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../bench/proximity/roads.ts';
import { strongComponentsOf } from '../../../query/route/components.ts';
import { UNREACHED } from '../../../query/route/graph.ts';
import { buildGraph, NoRoads } from '../../../query/route/graph-builder.ts';
import { MatrixSearch } from '../../../query/route/matrix.ts';
import { ReachSearch } from '../../../query/route/reach.ts';
import { RoadLines, UNITS } from '../../../query/route/road-lines.ts';
import { Snapper } from '../../../query/route/snap.ts';
import { lengthOf, plainSeconds, pointOn } from './plain-search.ts';
import { town } from './town.ts';

const LONG = process.env.PLAT_TEST === 'long';

describe('fastest ways', () => {
  it.each(LONG ? [1, 2, 3] : [1])(
    'are those of a plain search over ways, with one-way streets and turn rules (town %i)',
    seed => {
      const { roads, rules, graph } = town(9, seed);
      expect(graph.facts).toMatchObject({ restrictions: rules.length, restrictionsLeftOut: 0, roads: roads.length });
      expect(rules.length).toBeGreaterThan(20);
      const random = randomFrom(seed * 100);
      const snapper = new Snapper(graph);
      const places = Array.from({ length: 24 }, () => {
        const road = Math.floor(random() * roads.length);
        const point = pointOn(roads[road]!, random());
        return { road, share: point.share, snap: snapper.nearestRoad(point.lng, point.lat, 1000)! };
      });
      const snaps = places.map(place => place.snap);
      for (const { snap } of places) expect(snap.metres).toBeLessThan(0.05);
      const { time } = new MatrixSearch(graph).table(snaps, snaps);
      let unreached = 0;
      places.forEach((from, i) => {
        places.forEach((to, j) => {
          const seconds = plainSeconds(roads, rules, from, to);
          const found = time[i * places.length + j]!;
          if (seconds === Infinity) unreached++;
          if (seconds === Infinity) expect(found).toBe(UNREACHED);
          else expect(Math.abs(found / 1000 - seconds), `${i} to ${j}`).toBeLessThan(0.1);
        });
      });
      expect(unreached).toBeLessThan(places.length ** 2 / 2);
    },
  );

  it('reach as far as a plain search, and no farther than the limit', () => {
    const { roads, rules, graph } = town(8, 5);
    const from = pointOn(roads[12]!, 0.4);
    const snap = new Snapper(graph).nearestRoad(from.lng, from.lat, 1000)!;
    const limit = 400_000;
    const reached = new ReachSearch(graph).run(snap, limit);
    const found = new Map<string, number>();
    for (const node of reached.nodes) {
      expect(reached.time(node)).toBeLessThanOrEqual(limit);
      const at = `${graph.nodes[2 * node]},${graph.nodes[2 * node + 1]}`;
      found.set(at, Math.min(found.get(at) ?? Infinity, reached.time(node)));
    }
    // The start of every road: the end of a way that may be driven there and is reached in time.
    let within = 0;
    for (const [i, road] of roads.entries()) {
      if (road.backward === 0) continue;
      const seconds = plainSeconds(roads, rules, { road: 12, share: from.share }, { road: i, share: 0 });
      const at = `${Math.round(road.xy[0]! * UNITS)},${Math.round(road.xy[1]! * UNITS)}`;
      if (seconds * 1000 < limit - 100) {
        within++;
        expect(found.get(at)! / 1000).toBeLessThan(seconds + 0.1);
      }
    }
    expect(within).toBeGreaterThan(20);
  });

  it('to all within a limit are those of the search in order, also in the search after', () => {
    const { roads, graph } = town(8, 5);
    const [search, other] = [new ReachSearch(graph), new ReachSearch(graph)];
    for (const [road, limit] of [
      [12, 400_000],
      [3, 45_000],
      [20, 7_200_000],
      [12, 0],
      [12, 1e9],
    ] as const) {
      const { lng, lat } = pointOn(roads[road]!, 0.4);
      const snap = new Snapper(graph).nearestRoad(lng, lat, 1000)!;
      const [all, ordered] = [search.all(snap, limit), other.run(snap, limit)];
      expect([...all.nodes].sort((a, b) => a - b)).toEqual([...ordered.nodes].sort((a, b) => a - b));
      for (const node of all.nodes) expect(all.time(node)).toBe(ordered.time(node));
    }
  });

  it('have the length of the way that is driven', () => {
    const { roads, graph } = town(6, 9);
    const road = roads.findIndex(({ forward, backward }) => forward > 0 && backward > 0);
    const [a, b] = [pointOn(roads[road]!, 0.2), pointOn(roads[road]!, 0.9)];
    const snapper = new Snapper(graph);
    const ends = [a, b].map(({ lng, lat }) => snapper.nearestRoad(lng, lat, 10));
    const { time, length } = new MatrixSearch(graph).table(ends, ends);
    const metres = (b.share - a.share) * lengthOf(roads[road]!);
    expect(length[1]! / 10).toBeCloseTo(metres, 0);
    expect(time[1]! / 1000).toBeCloseTo(metres / (roads[road]!.forward / 3.6), 1);
    expect([time[0], time[3]]).toEqual([0, 0]);
  });

  it('do not lead to an island, nor from it', () => {
    const { roads, island, graph } = town(5, 4);
    const snapper = new Snapper(graph);
    const [here, there] = [roads[0]!, roads[island]!].map(road => {
      const { lng, lat } = pointOn(road, 0.5);
      return snapper.nearestRoad(lng, lat, 10);
    });
    const { time, length } = new MatrixSearch(graph).table([here!, there!], [here!, there!]);
    expect([time[1], time[2], length[1], length[2]]).toEqual([UNREACHED, UNREACHED, UNREACHED, UNREACHED]);
  });

  it('are unreached from and to what is no place on a road, and a second table knows nothing of the first', () => {
    const { roads, graph } = town(5, 4);
    const { lng, lat } = pointOn(roads[3]!, 0.5);
    const snap = new Snapper(graph).nearestRoad(lng, lat, 10);
    const search = new MatrixSearch(graph);
    const first = search.table([snap], [snap]);
    expect([...search.table([null, snap], [snap, null]).time]).toEqual([UNREACHED, UNREACHED, 0, UNREACHED]);
    expect(search.table([snap], [snap])).toEqual(first);
  });
});

describe('a place on a road', () => {
  const lines = new RoadLines();
  lines.add([-90, 40, -90, 40.01], 50, 50);
  lines.add([-89.99, 40, -89.99, 40.01], 0, 0);
  lines.add([-89.98, 40, -89.98, 40.01], 10, 10, true);
  const snapper = new Snapper(buildGraph(lines));

  it('is the nearest that may be driven, ferries left out, with its distance', () => {
    // 0.015° of longitude at 40.005° N: 1,280.9 m (GeographicLib).
    const snap = snapper.nearestRoad(-89.985, 40.005, 2_000)!;
    expect(snap).toMatchObject({ lng: -90 });
    expect(snap.share).toBeCloseTo(0.5, 5);
    expect(snap.metres).toBeCloseTo(1280.9, 0);
  });

  it('is none beyond the limit', () => {
    expect(snapper.nearestRoad(-89.985, 40.005, 1_000)).toBeNull();
    expect(snapper.nearestRoad(0, 0, 1_000)).toBeNull();
  });

  it('is an end of the road where the road does not come nearer', () => {
    expect(snapper.nearestRoad(-90, 40.011, 1_000)).toMatchObject({ share: 1, lng: -90, lat: 40.01 });
  });
});

describe('a place beside roads that are joined to nothing', () => {
  const { roads, graph } = town(9, 7);
  const [street] = roads;
  const { lng, lat } = pointOn(street!, 0.5);
  const lines = new RoadLines();
  for (const { xy, forward, backward } of roads) lines.add(xy, forward, backward);
  // A driveway and a way into it, 20 m beside the street; and a one-way lane that leads off into nothing.
  const side = lat + 0.0002;
  lines.add([lng - 0.0001, side, lng + 0.0001, side], 20, 20);
  lines.add([lng + 0.0001, side, lng + 0.0002, side], 20, 20);
  lines.add([street!.xy[0]!, street!.xy[1]!, lng, side + 0.0001], 20, 0);
  const snapper = new Snapper(buildGraph(lines));

  it('is driven to from the network, and says how far the nearest road of all is', () => {
    const [snap, nearest] = [snapper.snap(lng, side, 1_000)!, snapper.nearestRoad(lng, side, 1_000)!];
    expect(nearest.metres).toBeLessThan(0.1);
    expect(snap.metres).toBeGreaterThan(10);
    expect(snap.metres).toBeCloseTo(new Snapper(graph).snap(lng, side, 1_000)!.metres, 3);
  });

  it('has no place on the roads where no network is near', () => {
    const far = new RoadLines();
    for (const { xy, forward, backward } of roads) far.add(xy, forward, backward);
    far.add([-77.5, 40, -77.499, 40], 50, 50);
    const apart = new Snapper(buildGraph(far));
    expect(apart.snap(-77.4995, 40, 1_000)).toBeNull();
    expect(apart.nearestRoad(-77.4995, 40, 1_000)).toMatchObject({ lat: 40 });
  });
});

it('parts of a network in which every node leads to every other are those that plain searches find', () => {
  const random = randomFrom(5);
  for (let round = 0; round < 40; round++) {
    const nodes = 1 + Math.floor(random() * 30);
    const heads = Array.from({ length: nodes }, () =>
      Array.from({ length: Math.floor(random() * 3) }, () => Math.floor(random() * nodes)),
    );
    const first = new Uint32Array(nodes + 1);
    heads.forEach((list, node) => {
      first[node + 1] = first[node]! + list.length;
    });
    const reached = heads.map((_, from) => {
      const seen = new Set([from]);
      for (const node of seen) for (const head of heads[node]!) seen.add(head);
      return seen;
    });
    const { part, sizes } = strongComponentsOf(first, Uint32Array.from(heads.flat()));
    for (let a = 0; a < nodes; a++) {
      const alike = heads.flatMap((_, b) => (reached[a]!.has(b) && reached[b]!.has(a) ? [b] : []));
      expect(heads.flatMap((_, b) => (part[b] === part[a] ? [b] : []))).toEqual(alike);
      expect(sizes[part[a]!]).toBe(alike.length);
    }
  }
});

it('no graph is made of no roads', () => {
  expect(() => buildGraph(new RoadLines())).toThrow(NoRoads);
});

it('roads of no length, loops, repeated vertices and roads twice over are harmless', () => {
  const lines = new RoadLines();
  lines.add([-90, 40, -90, 40], 50, 50);
  lines.add([-90, 40, -90, 40.01, -89.99, 40.01, -90, 40], 50, 50);
  lines.add([-90, 40, -90, 40, -90.01, 40], 50, 0);
  lines.add([-90, 40, -90, 40, -90.01, 40], 50, 0);
  const graph = buildGraph(lines);
  const snapper = new Snapper(graph);
  const [loop, out] = [snapper.nearestRoad(-89.99, 40.01, 10), snapper.nearestRoad(-90.01, 40, 10)];
  const { time } = new MatrixSearch(graph).table([loop, out], [loop, out]);
  expect(time[1]).toBeGreaterThan(0);
  expect(time[1]).toBeLessThan(UNREACHED);
  expect(time[2]).toBe(UNREACHED);
});
