import { distance, radiiAt, turn } from '../geodesic.ts';

const DEGREE = Math.PI / 180;

/**
 * Whether a point lies within a geodesic disc: by Gauss' mid-latitude formula (Torge & Müller, Geodesy, 6.1.2), whose
 * error over such lengths is far below the band about the edge in which Karney's distance decides.
 * @returns a test of lng,lat in degrees; on the edge counts as inside.
 */
export function discTest(lng: number, lat: number, metres: number): (lng: number, lat: number) => boolean {
  // The formula's relative error is of the order of (s/R)² tan²φ.
  const tan = Math.tan(Math.min(89, Math.abs(lat) + metres / 111_000) * DEGREE);
  const band = metres * ((metres / 6.3e6) ** 2 * (1 + tan * tan) + 1e-9) + 1e-6;
  return (x, y) => {
    const meanLat = (lat + y) / 2;
    const { M, N } = radiiAt(meanLat);
    const dx = turn(x - lng) * DEGREE * N * Math.cos(meanLat * DEGREE);
    const dy = (y - lat) * DEGREE * M;
    const approximate = Math.hypot(dx, dy);
    if (Math.abs(approximate - metres) > band) return approximate < metres;
    return distance(lng, lat, x, y) <= metres;
  };
}
