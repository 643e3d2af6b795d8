/** Degrees, longitude first. */
export type Position = readonly [lng: number, lat: number];

/** A ground of a file: rings, the outer one first. */
export interface FileArea {
  readonly name: string;
  readonly rings: readonly (readonly Position[])[];
}

/** What a file holds, in WGS84 degrees. */
export interface FileGround {
  readonly areas: readonly FileArea[];
  readonly points: readonly Position[];
  readonly lines: readonly (readonly Position[])[];
  /** Rows or features that have no place. */
  readonly without: number;
}

/** What is wrong with a file, in words for whoever chose it. */
export class FileProblem extends Error {}

export const NO_GROUND: FileGround = { areas: [], points: [], lines: [], without: 0 };

/** All of several grounds. */
export const together = (grounds: readonly FileGround[]): FileGround => ({
  areas: grounds.flatMap(({ areas }) => areas),
  points: grounds.flatMap(({ points }) => points),
  lines: grounds.flatMap(({ lines }) => lines),
  without: grounds.reduce((sum, { without }) => sum + without, 0),
});

/** @throws FileProblem where a position is no longitude and latitude. */
export function judged(ground: FileGround): FileGround {
  const isDegrees = ([lng, lat]: Position) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90;
  const { areas, points, lines } = ground;
  if ([...areas.flatMap(({ rings }) => rings), ...lines, points].every(list => list.every(isDegrees))) return ground;
  throw new FileProblem(
    'Its coordinates are no longitudes and latitudes. Save it in WGS 84 (EPSG:4326), or add the .prj of the shapefile.',
  );
}
