// Valhalla over the same extracts of OpenStreetMap: another engine, with speeds, turn costs and ways of drawing of its own, so
// what is held are bounds around what was found (docs/proximity.md), not equality.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../../bench/proximity/roads.ts';
import { percentile } from '../../../bench/report.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { UNREACHED } from '../../../query/route/graph.ts';
import { isochrones, segmentsOfArcs } from '../../../query/route/isochrone.ts';
import { Router } from '../../../query/route/router.ts';
import type { Snap } from '../../../query/route/snap.ts';
import { EXTRACTS, stagedExtract } from '../../pipelines/steps/roads/staged.ts';
import { holds, overlap } from './ground.ts';
import { openValhalla, VALHALLA_INSTALLED } from './valhalla.ts';

if (!VALHALLA_INSTALLED) console.warn('skipped: Valhalla is not there; run `make valhalla`');

/** Straight metres below which where each engine leaves the place decides more than the way. */
const NEAR = 500;
const PLACES = 200;
const MINUTE = 60_000;

/** Random places on roads that most of the others are reached from and lead to: an extract's edge cuts one-way roads. */
function wellJoined(router: Router): { readonly all: readonly Snap[]; readonly joined: readonly Snap[] } {
  const random = randomFrom(9);
  const [west, south, east, north] = router.graph.facts.box;
  const all: Snap[] = [];
  while (all.length < PLACES) {
    const place = router.snap(west + random() * (east - west), south + random() * (north - south), 200);
    if (place) all.push(place);
  }
  const { time } = router.table(all, all);
  const reached = (i: number, j: number) => time[i * PLACES + j] !== UNREACHED;
  const most = (of: (j: number) => boolean) => all.filter((_, j) => of(j)).length > 0.6 * PLACES;
  return { all, joined: all.filter((_, i) => most(j => reached(i, j)) && most(j => reached(j, i))) };
}

/** Share of some numbers that lie within a factor of 1, either way. */
const within = (ratios: readonly number[], factor: number) =>
  ratios.filter(ratio => ratio <= factor && ratio >= 1 / factor).length / ratios.length;

describe.each([
  { name: 'harrisburg', minutes: [5, 10] },
  { name: 'baltimore', minutes: [5, 10] },
  { name: 'liechtenstein', minutes: [5, 10, 20] },
])('Valhalla over $name', { tags: ['Valhalla', 'published-files'] }, ({ name, minutes }) => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-valhalla-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let valhalla: ReturnType<typeof openValhalla>;
  let router: Router;
  let places: ReturnType<typeof wellJoined>;
  beforeAll(async () => {
    valhalla = openValhalla(join(EXTRACTS, `${name}.osm.pbf`), folder);
    router = new Router((await stagedExtract(folder, name)).graph);
    places = wellJoined(router);
  });

  it('takes as long for 900 pairs, and as far', async () => {
    const [origins, destinations] = [places.joined.slice(0, 30), places.joined.slice(30, 60)];
    const theirs = await valhalla.table(origins, destinations);
    const { time, length } = router.table(origins, destinations);
    const [times, lengths]: [number[], number[]] = [[], []];
    let alike = 0;
    for (const [i, from] of origins.entries())
      for (const [j, to] of destinations.entries()) {
        const [leg, ms] = [theirs[i]![j]!, time[i * 30 + j]!];
        if ((leg === null) === (ms === UNREACHED)) alike++;
        if (leg === null || ms === UNREACHED || distance(from.lng, from.lat, to.lng, to.lat) < NEAR) continue;
        times.push(ms / 1000 / leg.seconds);
        lengths.push(length[i * 30 + j]! / 10 / leg.metres);
      }
    expect(alike).toBeGreaterThan(0.95 * 900);
    expect(times.length).toBeGreaterThan(800);
    const median = percentile(times, 50);
    expect(median).toBeGreaterThan(0.8);
    expect(median).toBeLessThan(1.2);
    expect(within(times, 1.4)).toBeGreaterThan(0.9);
    expect(within(times, 2.2)).toBe(1);
    expect(Math.abs(percentile(lengths, 50) - 1)).toBeLessThan(0.01);
    expect(within(lengths, 1.2)).toBeGreaterThan(0.8);
  });

  it.each(minutes)('reaches the same ground in %i minutes from ten places', async limit => {
    const { all, joined } = places;
    const segments = segmentsOfArcs(router.graph);
    const shares: number[] = [];
    let [both, either] = [0, 0];
    for (const from of joined.slice(60, 70)) {
      const [ours] = isochrones(router.graph, segments, from, router.reach(from, limit * MINUTE), [limit * MINUTE]);
      const theirs = await valhalla.isochrone(from, limit);
      shares.push(overlap(ours!, theirs));
      for (const { lng, lat } of all) {
        const [a, b] = [holds(ours!, lng, lat), holds(theirs, lng, lat)];
        if (a && b) both++;
        if (a || b) either++;
      }
    }
    expect(Math.min(...shares)).toBeGreaterThan(0.45);
    expect(percentile(shares, 50)).toBeGreaterThan(0.55);
    // Of places on roads that either reaches, so many are reached by both.
    expect(both / either).toBeGreaterThan(0.7);
  });
});
