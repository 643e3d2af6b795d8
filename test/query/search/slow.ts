import { fromGeoJSON, type Polygonal } from '../../oracle/geojson.ts';
import type { SourceParcel } from './parcel-release.ts';

/** A row of squares of 0.001 degrees along a parallel, apart by a lane. */
export const squares = (
  count: number,
  west: number,
  name: string,
  more: SourceParcel['properties'] = {},
): SourceParcel[] =>
  Array.from({ length: count }, (_, i) => {
    const x = west + i * 0.002;
    const ring = [
      [x, 44],
      [x + 0.001, 44],
      [x + 0.001, 44.001],
      [x, 44.001],
      [x, 44],
    ];
    return {
      geometry: fromGeoJSON({ type: 'Polygon', coordinates: [ring] }),
      properties: {
        apn: `${name}-${i}`,
        landval: i,
        county: 'Hancock',
        updated_at: '2024-02-29T23:59:59.123Z',
        ...more,
      },
    };
  });

/** The area about all of a row of squares between two meridians. */
export const band = (west: number, east: number): Polygonal => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 43.9],
      [east, 43.9],
      [east, 44.1],
      [west, 44.1],
      [west, 43.9],
    ],
  ],
});

/**
 * Two areas to lie within that cost milliseconds a parcel of `squares(…, -68, …)`: it is looked for in each of many
 * holes, and the comb then refuses it, so that no page ever fills.
 */
export function slowAreas(): Polygonal[] {
  const box: [number, number][] = [
    [-68.1, 43.9],
    [-58, 43.9],
    [-58, 44.1],
    [-68.1, 44.1],
    [-68.1, 43.9],
  ];
  const holes = Array.from({ length: 5000 }, (_, i): [number, number][] => {
    const x = -67.9985 + i * 0.0019;
    return [
      [x, 44.05],
      [x + 0.0001, 44.05],
      [x, 44.0501],
      [x, 44.05],
    ];
  });
  const teeth: [number, number][] = [];
  for (let i = 0; i < 9_000; i++) teeth.push([-68.05 + i * 0.001, i % 2 ? 44.002 : 44.0005]);
  const comb = [...box.slice(0, 2), ...teeth.toReversed(), box[0]!];
  return [
    { type: 'Polygon', coordinates: [box, ...holes] },
    { type: 'Polygon', coordinates: [comb] },
  ];
}
