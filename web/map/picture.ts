import type { Map as Canvas } from 'maplibre-gl';

const watchers = new Set<(picture: string) => void>();
let drawAgain: (() => void) | null = null;

/** Calls back with a picture of the map, a data URL, each time it has come to rest. @returns a function that stops it. */
export function watchMap(watcher: (picture: string) => void): () => void {
  watchers.add(watcher);
  drawAgain?.();
  return () => {
    watchers.delete(watcher);
  };
}

/** Marks a map as busy until it rests, and then gives pictures of it to those who watch. @returns a function that stops it. */
export function tellRest(map: Canvas): () => void {
  const container = map.getContainer();
  map.on('dataloading', () => {
    container.ariaBusy = 'true';
  });
  // The canvas holds what was drawn until the page is shown, which is after this event.
  map.on('idle', () => {
    container.ariaBusy = null;
    if (watchers.size === 0) return;
    const picture = map.getCanvas().toDataURL('image/png');
    for (const watcher of watchers) watcher(picture);
  });
  drawAgain = () => map.redraw();
  return () => {
    drawAgain = null;
  };
}
