import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../bench/proximity/roads.ts';
import { UNREACHED } from '../../../query/route/graph.ts';
import { buildGraph } from '../../../query/route/graph-builder.ts';
import { isochrones, segmentsOfArcs } from '../../../query/route/isochrone.ts';
import { RoadLines } from '../../../query/route/road-lines.ts';
import { Router } from '../../../query/route/router.ts';
import { holds } from './ground.ts';
import { pointOn } from './plain-search.ts';
import { town } from './town.ts';

const { roads, island, graph } = town(24, 21);
const router = new Router(graph);
const random = randomFrom(5);
const places = Array.from({ length: 150 }, () => {
  const { lng, lat } = pointOn(roads[Math.floor(random() * roads.length)]!, random());
  return router.nearestRoad(lng, lat, 100);
});
const row = (from: number) => [...router.table([places[from]!], places).time];

describe('the nearest of many places', () => {
  it('are those of the table with the least times, however far the search went', () => {
    for (const count of [1, 3, 10, 150])
      for (const from of [0, 17, 80]) {
        const times = row(from);
        const wanted = times
          .filter(time => time !== UNREACHED)
          .sort((a, b) => a - b)
          .slice(0, count);
        const found = router.nearest(places[from]!, places, count, 1e9);
        expect(found.map(({ time }) => time)).toEqual(wanted);
        for (const { index, time } of found) expect(times[index]).toBe(time);
      }
  });

  it('are none beyond the limit', () => {
    const times = row(4);
    const limit = 60_000;
    const found = router.nearest(places[4]!, places, 150, limit);
    expect(found.length).toBe(times.filter(time => time <= limit).length);
    expect(router.within(places[4]!, places, limit).map(({ index }) => index)).toEqual(
      times.flatMap((time, index) => (time <= limit ? [index] : [])),
    );
  });

  it('are none on an island, nor of none', () => {
    const { lng, lat } = pointOn(roads[island]!, 0.5);
    const there = router.nearestRoad(lng, lat, 10)!;
    expect(
      router.nearest(
        there,
        places.filter(place => place?.segment !== there.segment),
        5,
        1e9,
      ),
    ).toEqual([]);
    expect(router.nearest(places[0]!, [], 5, 1e9)).toEqual([]);
    expect(router.nearest(places[0]!, [null, null], 5, 1e9)).toEqual([]);
  });
});

describe('an isochrone', () => {
  const from = places[60]!;
  const limits = [240_000, 90_000, 30_000];
  const areas = isochrones(graph, segmentsOfArcs(graph), from, router.reach(from, limits[0]!), limits);
  const times = row(60);

  it('holds the places that are reached in time, and not those that take a quarter longer and a minute', () => {
    for (const [i, limit] of limits.entries()) {
      let [inside, wrong] = [0, 0];
      for (const [j, place] of places.entries()) {
        const isInside = holds(areas[i]!, place!.lng, place!.lat);
        if (times[j]! <= limit) {
          inside++;
          if (!isInside) wrong++;
        } else if (times[j]! > 1.25 * limit + 60_000) expect(isInside, `${j} at ${times[j]} in ${limit}`).toBe(false);
      }
      expect(inside).toBeGreaterThan(0);
      expect(wrong).toBe(0);
    }
  });

  it('is closed, wound as GeoJSON wants, and lies in the wider one', () => {
    for (const polygons of areas)
      for (const rings of polygons)
        for (const [i, ring] of rings.entries()) {
          expect(ring.at(-1)).toEqual(ring[0]);
          let twice = 0;
          for (let k = 0; k + 1 < ring.length; k++)
            twice += ring[k]![0] * ring[k + 1]![1] - ring[k + 1]![0] * ring[k]![1];
          expect(twice > 0).toBe(i === 0);
        }
    for (const [lng, lat] of areas[1]!.flat(2)) expect(holds(areas[0]!, lng, lat)).toBe(true);
  });

  it('is the ground about the place where nothing is reached', () => {
    const lines = new RoadLines();
    lines.add([-90, 40, -89, 40], 50, 50);
    const long = buildGraph(lines);
    const alone = new Router(long);
    const snap = alone.nearestRoad(-89.5, 40, 10)!;
    const [area] = isochrones(long, segmentsOfArcs(long), snap, alone.reach(snap, 60_000), [60_000]);
    expect(holds(area!, -89.5, 40)).toBe(true);
    // 833 m in a minute at 50 km/h, both ways along the road: 0.0098°.
    expect(holds(area!, -89.5092, 40)).toBe(true);
    expect(holds(area!, -89.512, 40)).toBe(false);
    expect(holds(area!, -89.4908, 40)).toBe(true);
  });
});
