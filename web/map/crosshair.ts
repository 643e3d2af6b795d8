import type { Map as Canvas } from 'maplibre-gl';
import type { Place } from '../shell/address.ts';

/**
 * Lets the keyboard choose a place: while keys have the map, a cross stands in its middle, and Enter picks what is under it.
 * @param pick receives the place in the middle. @returns a function that ends it.
 */
export function crosshairOn(map: Canvas, pick: (place: Place) => void): () => void {
  const canvas = map.getCanvas();
  const cross = document.createElement('div');
  cross.className = 'crosshair';
  cross.hidden = true;
  map.getContainer().append(cross);
  const look = () => {
    cross.hidden = !canvas.matches(':focus-visible');
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return look();
    event.preventDefault();
    const { lat, lng } = map.getCenter();
    pick({ lat, lng });
  };
  const hide = () => {
    cross.hidden = true;
  };
  canvas.addEventListener('focus', look);
  canvas.addEventListener('blur', hide);
  canvas.addEventListener('keydown', onKey);
  return () => {
    canvas.removeEventListener('focus', look);
    canvas.removeEventListener('blur', hide);
    canvas.removeEventListener('keydown', onKey);
    cross.remove();
  };
}
