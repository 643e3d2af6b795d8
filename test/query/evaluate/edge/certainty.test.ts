import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { distance } from '../../../../query/geometry/geodesic.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../../release-fixture.ts';
import { bothForms } from '../operators/forms.ts';

const LONG = process.env.PLAT_TEST === 'long';

const layer = (accuracyM?: number): VectorLayer => ({
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'id',
  partition: 'county',
  ...(accuracyM === undefined ? {} : { accuracyM }),
  columns: { id: { type: 'string' }, zone: { type: 'string' }, wet: { type: 'string' } },
});
const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;
const FIELDS = {
  zone: field('polygon_attr(zones, zone)', text),
  zone_edge: field('polygon_attr(zones, zone)', { ...text, confidence: 'edge_m(30)' }),
  wet: field("polygon_within(zones, where[wet = 'T'])", yes),
  in_zone: field('polygon_within(zones)', yes),
  unstated: field('polygon_attr(zones:vague, zone)', text),
  standin: field('polygon_attr(zones:coarse, zone)', text),
  both: field("derived(expr[join(' ', a, b)], a=@zone, b=@unstated)", text),
};
const zones = dataset('zones', { main: layer(12), vague: layer(), coarse: layer(12) }, FIELDS);

/** Metres east and north of a place in the south of Vermont, as degrees. */
const [LNG, LAT] = [-73, 43];
const EAST = 1 / (distance(LNG, LAT, LNG + 0.001, LAT) * 1000);
const NORTH = 1 / (distance(LNG, LAT, LNG, LAT + 0.001) * 1000);
const at = (x: number, y: number) => ({ lng: LNG + x * EAST, lat: LAT + y * NORTH });
const box = (x0: number, y0: number, x1: number, y1: number) => {
  const [a, b] = [at(x0, y0), at(x1, y1)];
  return rectangle([a.lng, a.lat, b.lng, b.lat]);
};
const lot = (id: string, zone: string | null, geometry: ReturnType<typeof box>, wet = 'F') => ({
  geometry,
  id,
  zone,
  wet,
});

/**
 * From the west: X; AE of two polygons, the eastern of which ends half way up the western one's edge; a gap; AE again,
 * which overlaps an AE south of it so that only their notch is dry. A polygon without a zone lies in the north.
 */
const FEATURES = [
  lot('x', 'X', box(-200, 0, 0, 100)),
  lot('a', 'AE', box(0, 0, 100, 100), 'T'),
  lot('b', 'AE', box(100, 0, 200, 80), 'T'),
  lot('c', 'AE', box(300, 0, 400, 60), 'T'),
  lot('d', 'AE', box(340, -60, 500, 40), 'T'),
  lot('e', null, box(0, 100, 100, 200)),
];

let fixture: Fixture;
beforeAll(async () => {
  const everywhere = [{ features: FEATURES, note: 'a standing note' }];
  fixture = await createFixture([zones], {
    zones: { main: everywhere, vague: everywhere, coarse: [{ features: FEATURES, accuracyM: 40 }] },
  });
});
afterAll(() => fixture.remove());
const ask = (x: number, y: number, ...names: string[]) => fixture.ask(names, at(x, y));

describe('a value beside an edge', () => {
  it('is low within the stated accuracy and medium within twice it, and says the distance and what is beyond', async () => {
    expect((await ask(3.1, 40, 'zone')).zone).toMatchObject({
      value: 'AE',
      confidence: 'low',
      notes: '3.1 m from ground where it is X (zone), while the source is accurate to 12 m. A standing note.',
    });
    expect((await ask(-18, 40, 'zone')).zone).toMatchObject({
      value: 'X',
      confidence: 'medium',
      notes: '18.0 m from ground where it is AE (zone), while the source is accurate to 12 m. A standing note.',
    });
    expect((await ask(24.5, 40, 'zone')).zone).toMatchObject({ confidence: 'high', notes: 'a standing note' });
  });

  it('is as its rule says where that asks for more', async () => {
    expect((await ask(28, 40, 'zone_edge')).zone_edge).toMatchObject({
      confidence: 'medium',
      notes: 'a standing note',
    });
    expect((await ask(5, 40, 'zone_edge')).zone_edge).toMatchObject({ confidence: 'low' });
    expect((await ask(50, 40, 'zone_edge')).zone_edge).toMatchObject({ confidence: 'high' });
  });

  it('loses nothing beside an edge between polygons of one answer', async () => {
    expect((await ask(99, 40, 'zone')).zone).toMatchObject({
      value: 'AE',
      confidence: 'high',
      notes: 'a standing note',
    });
    expect((await ask(101, 40, 'zone_edge')).zone_edge).toMatchObject({ confidence: 'high' });
    expect((await ask(100, 40, 'wet')).wet).toMatchObject({ value: true, confidence: 'high' });
  });

  it('sees where a neighbour ends half way along an edge', async () => {
    const { zone } = await ask(97, 76, 'zone');
    // The corner of the shorter polygon is 3 m east and 4 m north.
    expect(zone).toMatchObject({ confidence: 'low' });
    expect(zone!.notes).toContain(
      '5.0 m from ground that none of the zones (source_of_somewhere) covers, while the source is accurate to 12 m',
    );
  });

  it('sees the notch between polygons that overlap', async () => {
    // The edges of both cross at 340, 40 and at 400, 40: beyond the second it is dry.
    const { zone, wet } = await ask(397, 36, 'zone', 'wet');
    expect(zone).toMatchObject({ value: 'AE', confidence: 'low' });
    expect(zone!.notes).toContain('5.0 m from ground');
    expect(wet).toMatchObject({ value: true, confidence: 'low' });
    expect(wet!.notes).toContain('5.0 m from ground that none of the zones (source_of_somewhere) that are asked for');
  });

  it('is unsure of an absence too', async () => {
    expect((await ask(206, 25, 'zone')).zone).toMatchObject({
      status: 'absent',
      confidence: 'low',
      notes:
        'None of the zones (source_of_somewhere) contains the point. 6.0 m from ground where it is AE (zone), while the source ' +
        'is accurate to 12 m. A standing note.',
    });
    const { wet, in_zone } = await ask(-6, 40, 'wet', 'in_zone');
    expect(wet).toMatchObject({ value: false, confidence: 'low' });
    expect(wet!.notes).toContain('6.0 m from one of the zones');
    expect(in_zone).toMatchObject({ value: true, confidence: 'high' });
    const empty = await ask(50, 95, 'zone');
    expect(empty.zone!.notes).toContain('5.0 m from ground where it is empty (zone)');
  });

  it('goes by the accuracy of the source, and is medium at most within 50 m where none is stated', async () => {
    const { unstated, standin } = await ask(3.1, 40, 'unstated', 'standin');
    expect(unstated).toMatchObject({
      confidence: 'medium',
      notes: '3 m from ground where it is X (zone), while nobody states how accurate the source is. A standing note.',
    });
    expect(standin).toMatchObject({
      confidence: 'low',
      notes: '3.1 m from ground where it is X (zone), while the source is accurate to 40 m',
    });
    expect((await ask(-70, 50, 'standin')).standin).toMatchObject({ confidence: 'medium' });
  });

  it('makes what derives from it no surer, whatever that rule says', async () => {
    const { both } = await ask(3.1, 40, 'both');
    expect(both).toMatchObject({ value: 'AE AE', confidence: 'low' });
    expect(both!.notes).toContain('3.1 m from ground where it is X (zone)');
  });
});

describe('both forms', () => {
  const names = Object.keys(FIELDS);
  it('agree beside edges in value, status, confidence and notes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: -60, max: 520 }), fc.integer({ min: -90, max: 230 })), {
          minLength: 1,
          maxLength: 40,
        }),
        async list => {
          await bothForms(
            fixture,
            names,
            list.map(([x, y]) => at(x, y + 0.37)),
          );
        },
      ),
      { seed: 24, numRuns: 12 },
    );
  });

  it('say what brute force finds: no ground of another answer nearer, and some there', async () => {
    const zoneAt = (x: number, y: number) => {
      const holding = FEATURES.filter(({ geometry: { xy } }) => {
        const { lng, lat } = at(x, y);
        return lng >= xy[0]! && lng <= xy[2]! && lat >= xy[1]! && lat <= xy[5]!;
      });
      // All are of one zone where they overlap.
      // A polygon without a zone answers as no polygon does.
      return holding[0]?.zone ?? 'none';
    };
    const points = Array.from(
      { length: LONG ? 160 : 60 },
      (_, i) => [((i * 97) % 560) - 50 + 0.21, ((i * 61) % 300) - 80 + 0.43] as const,
    );
    const answers = await bothForms(
      fixture,
      ['zone'],
      points.map(([x, y]) => at(x, y)),
    );
    let near = 0;
    for (const [i, [x, y]] of points.entries()) {
      const own = zoneAt(x, y);
      let least = Infinity;
      for (let r = 0.05; r < 26 && least === Infinity; r += 0.05)
        for (let k = 0; k < 720; k++) {
          const angle = (k * Math.PI) / 360;
          if (zoneAt(x + r * Math.cos(angle), y + r * Math.sin(angle)) !== own) least = Math.min(least, r);
        }
      const { zone } = answers[i]!;
      const said = /([\d.]+) m from/.exec(zone!.notes ?? '')?.[1];
      if (least > 24.3) expect([x, y, said]).toEqual([x, y, undefined]);
      else if (least < 23.7) {
        near++;
        expect(Math.abs(Number(said) - least), `${x} ${y}: ${said} for ${least}`).toBeLessThan(0.3);
        if (Math.abs(least - 12) > 0.3) expect(zone!.confidence).toBe(least < 12 ? 'low' : 'medium');
      }
    }
    expect(near).toBeGreaterThan(LONG ? 40 : 15);
  });
});
