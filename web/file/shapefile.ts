import { type FileArea, type FileGround, FileProblem, NO_GROUND, type Position, together } from './ground.ts';

/** Bytes before the first record (ESRI Shapefile Technical Description, July 1998). */
const HEADER = 100;
const [POINT, LINE, POLYGON, POINTS] = [1, 3, 5, 8];

/** Takes coordinates of a file to degrees. */
export type Projection = (position: Position) => Position;

/** Twice the area of a ring, positive where it runs counterclockwise. */
const turnOf = (ring: readonly Position[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    const [originX, originY] = ring[0]!;
    return sum + (x - originX) * (nextY - originY) - (nextX - originX) * (y - originY);
  }, 0);

/** Whether a point lies in a ring, by how often a ray from it crosses the ring. */
function isIn([x, y]: Position, ring: readonly Position[]): boolean {
  let inside = false;
  for (const [i, [ax, ay]] of ring.entries()) {
    const [bx, by] = ring[(i + 1) % ring.length]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** The areas of a record's rings: those that run clockwise are outer ones, the others holes of the outer one around them. */
function areasOf(rings: readonly (readonly Position[])[], name: string): FileArea[] {
  const outer = rings.filter(ring => turnOf(ring) <= 0).map(ring => ({ name, rings: [ring] }));
  for (const hole of rings.filter(ring => turnOf(ring) > 0)) {
    const around = outer.find(({ rings: [ring] }) => isIn(hole[0]!, ring!));
    if (around) around.rings.push(hole);
    else outer.push({ name, rings: [hole] });
  }
  return outer;
}

/** What a record holds. @param view its content. @param type of shape, without heights and measures. */
function groundOfRecord(view: DataView, type: number, name: string, projected: Projection): FileGround {
  const position = (at: number): Position => projected([view.getFloat64(at, true), view.getFloat64(at + 8, true)]);
  if (type === POINT) return { ...NO_GROUND, points: [position(4)] };
  const count = view.getInt32(type === POINTS ? 36 : 40, true);
  const all = (start: number, first: number, end: number) =>
    Array.from({ length: end - first }, (_, i) => position(start + 16 * (first + i)));
  if (type === POINTS) return { ...NO_GROUND, points: all(40, 0, count) };
  const parts = view.getInt32(36, true);
  const begins = Array.from({ length: parts }, (_, i) => view.getInt32(44 + 4 * i, true));
  const paths = begins.map((first, i) => all(44 + 4 * parts, first, begins[i + 1] ?? count));
  return type === LINE ? { ...NO_GROUND, lines: paths } : { ...NO_GROUND, areas: areasOf(paths, name) };
}

/** What the main file of a shapefile holds. @throws FileProblem where it is damaged or of surfaces. */
export function groundOfShapefile(bytes: Uint8Array, projected: Projection): FileGround {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEADER || view.getInt32(0) !== 9994)
    throw new FileProblem('It is no shapefile: its head is missing.');
  const grounds: FileGround[] = [];
  try {
    for (let at = HEADER; at + 12 <= bytes.length; ) {
      const length = 2 * view.getInt32(at + 4);
      const content = new DataView(bytes.buffer, bytes.byteOffset + at + 8, length);
      const declared = content.getInt32(0, true);
      const type = declared % 10;
      if (declared === 0) grounds.push({ ...NO_GROUND, without: 1 });
      else if ([POINT, LINE, POLYGON, POINTS].includes(type) && declared < 30)
        grounds.push(groundOfRecord(content, type, `Area ${grounds.length + 1}`, projected));
      else throw new FileProblem('It holds surfaces. Save it as polygons, lines or points.');
      at += 8 + length;
    }
  } catch (error) {
    throw error instanceof FileProblem ? error : new FileProblem('The shapefile is damaged, or was cut off.');
  }
  return together(grounds);
}

/** What takes the coordinates of a shapefile to degrees. @param prj text of its .prj; null where it has none. @throws FileProblem. */
export async function projectionOf(prj: string | null): Promise<Projection> {
  if (prj === null || /^GEOGCS\[/i.test(prj.trim())) {
    if (/North_American_1927|NAD27/i.test(prj ?? ''))
      throw new FileProblem(
        'Its coordinates are of the datum of 1927, up to 100 meters off. Save it in WGS 84 (EPSG:4326).',
      );
    return position => position;
  }
  const { default: proj4 } = await import('proj4');
  try {
    const { forward } = proj4(prj, 'EPSG:4326');
    return ([x, y]) => forward([x, y]) as [number, number];
  } catch {
    throw new FileProblem('Its coordinates are in a projection that is not known here. Save it in WGS 84 (EPSG:4326).');
  }
}
