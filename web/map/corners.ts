import type { Map as Canvas, MapMouseEvent, MapTouchEvent } from 'maplibre-gl';
import { isForPage, NEAR, rounded } from './drawing.ts';
import type { Drawn, Position } from './drawn.ts';
import type { AreaGeometry } from './scene.ts';

type Pointed = MapMouseEvent | MapTouchEvent;

/** The points halfway between the corners of a ring that is not closed. Pure. */
export const middlesOf = (ring: readonly Position[]): Position[] =>
  ring.map(([lng, lat], i) => {
    const [nextLng, nextLat] = ring[(i + 1) % ring.length]!;
    return [(lng + nextLng) / 2, (lat + nextLat) / 2];
  });

/** The ring of an area whose corners can be moved, not closed; null for areas of several rings. Pure. */
export function cornersOf({ type, coordinates }: AreaGeometry): Position[] | null {
  const rings = coordinates as (readonly Position[])[];
  return type === 'Polygon' && rings.length === 1 ? rings[0]!.slice(0, -1) : null;
}

/**
 * Moves the corners of an area: they are dragged, and so are the points between them, which become corners. A double click removes one,
 * Backspace the one that was moved last. The space bar moves the corner that is nearest to the middle of the map there.
 * @param show receives corners and the points between them. @param changed receives the area after each change.
 * @param done is called by Enter and Escape. @returns a function that ends it.
 */
export function moveCorners(
  map: Canvas,
  area: AreaGeometry,
  show: (corners: readonly Position[], middles: readonly Position[]) => void,
  changed: (area: Extract<Drawn, { readonly type: 'Polygon' }>) => void,
  done: () => void,
): () => void {
  let ring = cornersOf(area) ?? [];
  let dragged: number | null = null;
  let moved: number | null = null;
  const draw = () => show(ring, middlesOf(ring));
  const tell = () => changed({ type: 'Polygon', coordinates: [[...ring, ring[0]!]] });
  /** The nearest of some points to a pixel; null where none is near. */
  const nearest = (of: readonly Position[], { x, y }: { readonly x: number; readonly y: number }, within: number) => {
    const far = of.map(position => {
      const at = map.project([...position]);
      return Math.hypot(at.x - x, at.y - y);
    });
    const best = far.indexOf(Math.min(...far));
    return best >= 0 && far[best]! <= within ? best : null;
  };
  const put = (i: number, { lng, lat }: { readonly lng: number; readonly lat: number }) => {
    ring = ring.with(i, [rounded(lng), rounded(lat)]);
    moved = i;
    draw();
  };
  const remove = (i: number | null) => {
    if (i === null || ring.length < 4) return;
    ring = ring.toSpliced(i, 1);
    moved = null;
    draw();
    tell();
  };
  const onDown = (event: Pointed) => {
    const corner = nearest(ring, event.point, NEAR);
    const middle = corner === null ? nearest(middlesOf(ring), event.point, NEAR) : null;
    if (corner === null && middle === null) return;
    // The map itself stays where it is.
    event.preventDefault();
    if (middle !== null) ring = ring.toSpliced(middle + 1, 0, middlesOf(ring)[middle]!);
    dragged = corner ?? middle! + 1;
  };
  const onMove = (event: Pointed) => {
    if (dragged !== null) put(dragged, event.lngLat);
  };
  const onUp = () => {
    if (dragged !== null && moved === dragged) tell();
    dragged = null;
  };
  const onDouble = (event: MapMouseEvent) => {
    event.preventDefault();
    remove(nearest(ring, event.point, NEAR));
  };
  const onKey = (event: KeyboardEvent) => {
    if (isForPage(event)) return;
    if (event.key === 'Enter' || event.key === 'Escape') done();
    else if (event.key === 'Backspace' || event.key === 'Delete') remove(moved);
    else if (event.key === ' ') {
      const center = map.getCenter();
      put(nearest(ring, map.project(center), Number.POSITIVE_INFINITY)!, center);
      tell();
    } else return;
    event.preventDefault();
  };
  for (const name of ['mousedown', 'touchstart'] as const) map.on(name, onDown);
  for (const name of ['mousemove', 'touchmove'] as const) map.on(name, onMove);
  for (const name of ['mouseup', 'touchend'] as const) map.on(name, onUp);
  map.on('dblclick', onDouble);
  addEventListener('keydown', onKey);
  map.doubleClickZoom.disable();
  draw();
  return () => {
    for (const name of ['mousedown', 'touchstart'] as const) map.off(name, onDown);
    for (const name of ['mousemove', 'touchmove'] as const) map.off(name, onMove);
    for (const name of ['mouseup', 'touchend'] as const) map.off(name, onUp);
    map.off('dblclick', onDouble);
    removeEventListener('keydown', onKey);
    map.doubleClickZoom.enable();
    show([], []);
  };
}
