import { merge, mesh } from 'topojson-client';
import type { MultiPolygon, Polygon } from 'topojson-specification';
import { countiesOf, countyBox } from '../../../datasets/codes/county-boxes.ts';
import { countyOutlines } from '../../../datasets/directory/county-outlines.ts';
import { type Box, union } from '../../../datasets/geometry.ts';
import { memo } from '../../../datasets/memo.ts';
import { html, type Markup } from '../../http/markup.ts';

/** Counties of a release by their five digits, each with the box around what it has of it; null where nothing has a place. */
export type HeldCounties = ReadonlyMap<string, Box | null>;

const [WIDTH, HIGHEST] = [720, 420];
/** Share of the width that is shown about the counties, and the least of it in degrees. */
const [ABOUT, LEAST_ABOUT] = [0.15, 0.1];

/** Longitudes from west to east without a step: islands beyond the meridian of 180 are west of Alaska. */
const onward = (lng: number): number => (lng > 100 ? lng - 360 : lng);

/** What the Aleutians reach, which have a box around the whole earth. */
const [ALEUTIANS_WEST, ALEUTIANS_EAST] = [-188, -163];

const boxOnward = ([west, south, east, north]: Box): Box =>
  east - west > 180
    ? [ALEUTIANS_WEST, south, ALEUTIANS_EAST, north]
    : [onward(west), south, Math.max(onward(west), onward(east)), north];

const meets = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

type Line = readonly (readonly number[])[];

/** Makes places of the map from lng,lat, and its height. */
function projected(frame: Box) {
  const [west, south, east, north] = frame;
  const narrowed = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = Math.min(WIDTH / ((east - west) * narrowed), HIGHEST / (north - south));
  const xy = ([lng = 0, lat = 0]: readonly number[]) =>
    `${Math.round((onward(lng) - west) * narrowed * scale)} ${Math.round((north - lat) * scale)}`;
  const path = (lines: readonly Line[]): string =>
    lines
      .map(line => line.map(xy).filter((place, i, all) => place !== all[i - 1]))
      .filter(places => places.length > 1)
      .map(places => `M${places.join('L')}`)
      .join('');
  return { path, width: Math.round((east - west) * narrowed * scale), height: Math.round((north - south) * scale) };
}

const ringOf = ([west, south, east, north]: Box): Line => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** What the maps of all fields of a release have in common; null where it has no county. Made once, for it takes a tenth of a second. */
const groundOf = memo((counties: HeldCounties) => {
  const boxes = new Map<string, Box>();
  for (const [county, own] of counties) {
    const box = countyBox(county) ?? own;
    if (box) boxes.set(county, boxOnward(box));
  }
  const held = [...boxes.values()].reduce<Box | null>(union, null);
  if (!held) return null;
  const margin = Math.max(LEAST_ABOUT, ABOUT * Math.max(held[2] - held[0], held[3] - held[1]));
  const frame: Box = [held[0] - margin, held[1] - margin, held[2] + margin, held[3] + margin];
  const outlines = countyOutlines();
  const drawn = new Map(
    outlines.objects.counties.geometries.map(shape => [String(shape.id), shape as Polygon | MultiPolygon]),
  );
  const { path, width, height } = projected(frame);
  /** The ground of counties as one path. */
  const filled = (some: readonly string[]): string => {
    const shapes = some.flatMap(county => drawn.get(county) ?? []);
    const rings = some.flatMap(county => (drawn.has(county) || !boxes.has(county) ? [] : [ringOf(boxes.get(county)!)]));
    return path([...merge(outlines, shapes as never).coordinates.flat(), ...rings]);
  };
  const about = countiesOf().filter(county => drawn.has(county) && meets(boxOnward(countyBox(county)!), frame));
  const { coordinates } = mesh(outlines, {
    type: 'GeometryCollection',
    geometries: about.map(county => drawn.get(county)!),
  });
  return { filled, width, height, land: filled(about), held: filled([...counties.keys()]), lines: path(coordinates) };
});

/**
 * A map of the counties of a release: those in which a field is answered are filled. A county without a boundary, which the synthetic
 * area has, is a rectangle. Empty where the release has no county.
 */
export function coverageMap(counties: HeldCounties, answered: ReadonlySet<string>): Markup {
  const ground = groundOf(counties);
  if (!ground) return html``;
  const { width, height, land, held, lines } = ground;
  const isAll = answered.size === counties.size;
  const words =
    counties.size === 1
      ? `This release holds one county; the field is ${isAll ? '' : 'not '}answered there.`
      : `The field is answered in ${answered.size} of the ${counties.size} counties that this release holds, the dark ones.`;
  const shape = (name: string, d: string) => (d === '' ? html`` : html`<path class="${name}" d="${d}"/>`);
  return html`<figure><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">${[
    shape('land', land),
    shape('held', held),
    shape('answered', isAll ? held : ground.filled([...answered])),
    shape('lines', lines),
  ]}</svg>
<figcaption>${words}</figcaption></figure>`;
}
