import type { Map as Canvas, MapMouseEvent } from 'maplibre-gl';
import type { AreaGeometry } from './scene.ts';

type Position = [lng: number, lat: number];

/** Distance from the first corner, in pixels, within which a click closes the area. */
const NEAR = 12;

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

/**
 * Draws an area corner by corner. A click adds a corner; a click on the first one, a double click or Enter closes the
 * area; Backspace removes the last corner; Escape cancels.
 * @param show receives the drawing so far. @param done receives the area, or null after a cancel.
 * @returns a function that ends the drawing without calling back.
 */
export function drawArea(
  map: Canvas,
  show: (corners: readonly Position[]) => void,
  done: (area: AreaGeometry | null) => void,
): () => void {
  let corners: Position[] = [];
  const draw = (hovering: Position | null = null) => show(hovering ? [...corners, hovering] : corners);
  const positionOf = ({ lngLat }: MapMouseEvent): Position => [rounded(lngLat.lng), rounded(lngLat.lat)];
  const close = () => {
    if (corners.length < 3) return;
    end();
    done({ type: 'Polygon', coordinates: [[...corners, corners[0]!]] });
  };
  const onClick = (event: MapMouseEvent) => {
    const [first] = corners;
    const start = first && map.project(first);
    if (start && corners.length > 2 && Math.hypot(start.x - event.point.x, start.y - event.point.y) < NEAR) {
      close();
      return;
    }
    const next = positionOf(event);
    const last = corners.at(-1);
    if (last && last[0] === next[0] && last[1] === next[1]) return;
    corners = [...corners, next];
    draw();
  };
  const onMove = (event: MapMouseEvent) => {
    if (corners.length > 0) draw(positionOf(event));
  };
  const onDouble = (event: MapMouseEvent) => {
    event.preventDefault();
    close();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') close();
    else if (event.key === 'Escape') {
      end();
      done(null);
    } else if (event.key === 'Backspace' && !(event.target instanceof HTMLInputElement)) {
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
    show([]);
  };
  map.on('click', onClick);
  map.on('mousemove', onMove);
  map.on('dblclick', onDouble);
  addEventListener('keydown', onKey);
  map.doubleClickZoom.disable();
  map.getCanvas().style.cursor = 'crosshair';
  return end;
}
