type Ring = number[][];

/** A square in Bangor as GeoJSON. @param size degrees. */
export const square = (size = 0.01, lng = -68.78, lat = 44.79) => ({
  type: 'Polygon',
  coordinates: [
    [
      [lng, lat],
      [lng + size, lat],
      [lng + size, lat + size],
      [lng, lat + size],
      [lng, lat],
    ],
  ] as Ring[],
});

/** A ring of so many positions, the closing one counted. */
export function circle(positions: number): { type: string; coordinates: Ring[] } {
  const ring = Array.from({ length: positions - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (positions - 1);
    return [-68.78 + 0.1 * Math.cos(angle), 44.79 + 0.1 * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
}

/** A square of some meters about a place. */
export const siteAt = ({ lat, lng }: { readonly lat: number; readonly lng: number }) =>
  square(2e-5, lng - 1e-5, lat - 1e-5);
