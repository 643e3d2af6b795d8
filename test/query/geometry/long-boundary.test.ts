import { expect, it } from 'vitest';
import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { loadGeos } from '../../../query/geometry/geos.ts';
import { PreparedArea } from '../../../query/geometry/prepared-area.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { intersects, isValid } from '../../oracle/geometry.ts';
import { randomOf, starOf } from '../star.ts';

/** A triangle with its last corner at a place: of where it begins alone is asked whether the parcel holds it. */
const corner = (x: number, y: number, dx: number, dy: number): Geometry =>
  fromGeoJSON({
    type: 'Polygon',
    coordinates: [
      [
        [x + dx, y],
        [x, y + dy],
        [x, y],
        [x + dx, y],
      ],
    ],
  });

it('long boundaries meet areas where GEOS says so, their vertices and edges touched at corners included', async () => {
  const geos = await loadGeos();
  const random = randomOf(4);
  const said = { true: 0, false: 0 };
  for (let seed = 1; seed <= 12; seed++) {
    const { geometry: parcel } = starOf(seed, 900, -70, 43);
    if (!isValid(parcel)) continue;
    const [minX, minY, maxX, maxY] = boxOf(parcel);
    const vertices = parcel.xy.length / 2;
    for (let i = 0; i < 240; i++) {
      // At a vertex, on an edge, or anywhere.
      const v = Math.floor(random() * (vertices - 1));
      const along = i % 3 === 0 ? 0 : random();
      const at = (axis: 0 | 1) => parcel.xy[2 * v + axis]! * (1 - along) + parcel.xy[2 * v + 2 + axis]! * along;
      const [x, y] = i % 3 < 2 ? [at(0), at(1)] : [minX + random() * (maxX - minX), minY + random() * (maxY - minY)];
      const size = () => (random() - 0.5) * (i % 3 === 1 ? 1e-6 : i % 2 ? 4e-3 : 4e-5) || 1e-5;
      const area = corner(x, y, size(), size());
      const prepared = new PreparedArea(area, geos);
      const meets = prepared.meets(parcel);
      expect(meets, `star ${seed}, area ${area.xy}`).toBe(intersects(parcel, area));
      said[`${meets}`]++;
    }
  }
  expect(Math.min(said.true, said.false)).toBeGreaterThan(100);
});
