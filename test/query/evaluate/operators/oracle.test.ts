import { describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { EDGES } from '../../../oracle/edges.ts';
import { containing, type Feature, nearest } from '../../../oracle/features.ts';
import { isValid, metresTo } from '../../../oracle/geometry.ts';
import { createFixture, dataset, field, type PartitionSpec } from '../../release-fixture.ts';
import { randomOf, starOf } from '../../star.ts';

const layer = (geometry: VectorLayer['geometry']): VectorLayer => ({
  kind: 'vector',
  geometry,
  joinKey: 'id',
  partition: { h3: 5 },
  columns: { id: { type: 'string' } },
});
const shapes = dataset(
  'shapes',
  { main: layer('polygon'), lines: layer('line') },
  {
    id: field('polygon_attr(shapes, id)', { type: 'string' }),
    within: field('polygon_within(shapes)', { type: 'boolean' }),
    away: field('nearest_distance(shapes, max_km=200)'),
    near: field('nearest_attr(shapes, id, max_km=200)', { type: 'string' }),
    line: field('nearest_distance(shapes:lines, max_km=5000)'),
  },
);

/** GEOS and brute force take a tenth of a second for each. */
const POINTS = process.env.PLAT_TEST === 'long' ? 60 : 20;

const spread = (features: readonly Feature[], parts: number): PartitionSpec[] =>
  Array.from({ length: parts }, (_, part) => ({
    key: `ME/${part}`,
    features: features.filter((_, i) => i % parts === part).map(f => ({ geometry: f.geometry, id: f.key })),
  }));
const isLine = (geometry: Geometry) => geometry.type.endsWith('LineString');

describe('operators against the oracle', () => {
  it('agrees with GEOS and brute force over polygons spread across four partitions', async () => {
    const features: Feature[] = [];
    for (let i = 0; features.length < 60; i++) {
      const { geometry, random } = starOf(i + 1, 5, -68.8 + (i % 10) * 0.02, 44.7 + Math.floor(i / 10) * 0.015);
      if (isValid(geometry) && random() < 0.9) features.push({ key: `k${i}`, geometry });
    }
    const fixture = await createFixture([shapes], { shapes: { main: spread(features, 4) } });
    const random = randomOf(7);
    try {
      for (let i = 0; i < POINTS; i++) {
        const at = { lng: -68.9 + random() * 0.4, lat: 44.6 + random() * 0.3 };
        const { id, within, away, near } = await fixture.ask(['id', 'within', 'away', 'near'], at);
        const [smallest] = containing(features, at.lng, at.lat);
        expect(id!.value).toBe(smallest?.key ?? null);
        expect(within!.value).toBe(smallest !== undefined);
        const closest = nearest(features, at.lng, at.lat, 200_000)!;
        expect(Math.abs((away!.value as number) - closest.metres)).toBeLessThan(0.1);
        expect(near!.value).toBe(closest.feature.key);
      }
    } finally {
      fixture.remove();
    }
  });

  it.each(EDGES.map(edge => [edge.name, edge] as const))('answers the edge: %s', async (_, edge) => {
    const feature = { geometry: edge.geometry, id: 'it' };
    const lines = isLine(edge.geometry);
    if (!lines && !edge.geometry.type.endsWith('Polygon')) return;
    const fixture = await createFixture([shapes], {
      shapes: { [lines ? 'lines' : 'main']: [{ features: [feature] }] },
    });
    try {
      const { lng, lat } = edge;
      const metres = metresTo(edge.geometry, lng, lat);
      const a = await fixture.ask(lines ? ['line'] : ['within', 'id', 'away'], { lng, lat });
      const distance = lines ? a.line! : a.away!;
      if (metres <= 200_000)
        expect(Math.abs((distance.value as number) - metres)).toBeLessThan(Math.max(0.1, metres * 1e-6));
      if (lines) return;
      expect(a.within!.value).toBe(edge.inside);
      expect(a.id!.value).toBe(edge.inside ? 'it' : null);
    } finally {
      fixture.remove();
    }
  });
});
