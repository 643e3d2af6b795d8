import type { Map as Canvas, MapMouseEvent } from 'maplibre-gl';
import type { DrawingKind, Drawn, Position } from './drawn.ts';

/** Distance from the first corner, in pixels, within which a click closes the area. */
export const NEAR = 12;
/** Radius of the earth in meters, for the circle that is shown while it is drawn. */
const EARTH_M = 6_371_008.8;
const EDGES_OF_CIRCLE = 64;
const RADIAN = Math.PI / 180;

export const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

/** Meters between two points of a sphere. Pure. */
export function metresBetween([lng, lat]: Position, [toLng, toLat]: Position): number {
  const h =
    Math.sin(((toLat - lat) * RADIAN) / 2) ** 2 +
    Math.cos(lat * RADIAN) * Math.cos(toLat * RADIAN) * Math.sin(((toLng - lng) * RADIAN) / 2) ** 2;
  return 2 * EARTH_M * Math.asin(Math.sqrt(h));
}

/** The corners of a rectangle between two of them, closed. Pure. */
export const boxBetween = ([west, south]: Position, [east, north]: Position): Position[] => [
  ...([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const),
];

/** A circle as it is shown while it is drawn, closed. Pure. */
export function circleAbout([lng, lat]: Position, metres: number): Position[] {
  const degrees = metres / EARTH_M / RADIAN;
  return Array.from({ length: EDGES_OF_CIRCLE + 1 }, (_, i): Position => {
    const angle = (i * 2 * Math.PI) / EDGES_OF_CIRCLE;
    return [lng + (degrees * Math.sin(angle)) / Math.cos(lat * RADIAN), lat + degrees * Math.cos(angle)];
  });
}

/** The line that is shown of a drawing so far. */
function lineOf(kind: DrawingKind, corners: readonly Position[]): readonly Position[] {
  const [first, second] = corners;
  if (!first || !second) return corners;
  if (kind === 'box') return boxBetween(first, second);
  return kind === 'circle' ? circleAbout(first, metresBetween(first, second)) : corners;
}

/** What corners make; null while there are too few, or where two are one. */
function drawnOf(kind: DrawingKind, corners: readonly Position[]): Drawn | null {
  const [first, second] = corners;
  if (!first || !second) return null;
  if (kind === 'line') return { type: 'LineString', coordinates: corners };
  if (kind === 'circle') {
    const metres = Math.round(metresBetween(first, second) * 10) / 10;
    return metres < 1 ? null : { type: 'Circle', center: first, metres };
  }
  if (kind === 'box')
    return first[0] === second[0] || first[1] === second[1]
      ? null
      : { type: 'Polygon', coordinates: [boxBetween(first, second)] };
  return corners.length < 3 ? null : { type: 'Polygon', coordinates: [[...corners, first]] };
}

/** Whether a key is meant for what has the keyboard, such as a button. */
export const isForPage = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('button, input, select, textarea, a') !== null;

/**
 * Draws corner by corner. A click adds a corner, and so does the space bar in the middle of the map. Rectangles and circles end with the
 * second; a click on the first corner of an area or on the last one of a line, a double click or Enter ends those. Backspace removes the
 * last corner; Escape cancels.
 * @param show receives the line so far and its corners. @param done receives what was drawn, or null after a cancel.
 * @returns a function that ends the drawing without calling back.
 */
export function drawOn(
  map: Canvas,
  kind: DrawingKind,
  show: (line: readonly Position[], corners: readonly Position[]) => void,
  done: (drawn: Drawn | null) => void,
): () => void {
  let corners: Position[] = [];
  const ofTwo = kind === 'box' || kind === 'circle';
  const draw = (hovering: Position | null = null) => {
    const all = hovering ? [...corners, hovering] : corners;
    show(lineOf(kind, all), ofTwo ? corners : all);
  };
  const positionOf = ({ lng, lat }: { readonly lng: number; readonly lat: number }): Position => [
    rounded(lng),
    rounded(lat),
  ];
  const close = () => {
    const drawn = drawnOf(kind, corners);
    if (!drawn) return;
    end();
    done(drawn);
  };
  const add = (next: Position) => {
    const last = corners.at(-1);
    if (last && last[0] === next[0] && last[1] === next[1]) return;
    corners = [...corners, next];
    draw();
    if (ofTwo) close();
  };
  const isAt = (corner: Position | undefined, { point }: MapMouseEvent) => {
    const at = corner && map.project([...corner]);
    return at !== undefined && Math.hypot(at.x - point.x, at.y - point.y) < NEAR;
  };
  const onClick = (event: MapMouseEvent) => {
    if (kind === 'area' && corners.length > 2 && isAt(corners[0], event)) close();
    else if (kind === 'line' && corners.length > 1 && isAt(corners.at(-1), event)) close();
    else add(positionOf(event.lngLat));
  };
  const onMove = ({ lngLat }: MapMouseEvent) => {
    if (corners.length > 0) draw(positionOf(lngLat));
  };
  const onDouble = (event: MapMouseEvent) => {
    event.preventDefault();
    close();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      end();
      done(null);
    } else if (isForPage(event)) return;
    else if (event.key === 'Enter') close();
    else if (event.key === ' ') add(positionOf(map.getCenter()));
    else if (event.key === 'Backspace') {
      corners = corners.slice(0, -1);
      draw();
    } else return;
    event.preventDefault();
  };
  const end = () => {
    map.off('click', onClick);
    map.off('mousemove', onMove);
    map.off('dblclick', onDouble);
    removeEventListener('keydown', onKey);
    map.doubleClickZoom.enable();
    map.getCanvas().style.cursor = '';
    show([], []);
  };
  map.on('click', onClick);
  map.on('mousemove', onMove);
  map.on('dblclick', onDouble);
  addEventListener('keydown', onKey);
  map.doubleClickZoom.disable();
  map.getCanvas().style.cursor = 'crosshair';
  return end;
}
