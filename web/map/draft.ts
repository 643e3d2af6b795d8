import type { Map as Canvas } from 'maplibre-gl';
import { moveCorners } from './corners.ts';
import { drawOn } from './drawing.ts';
import type { Position } from './drawn.ts';
import { type AreaGeometry, eventsNow, type Scene, showOnMap } from './scene.ts';

const point = (coordinates: Position, role: 'corner' | 'middle') => ({
  type: 'Feature',
  properties: { role },
  geometry: { type: 'Point', coordinates },
});

/** What is being drawn on a map, or changed on it. */
export class Draft {
  readonly #map: Canvas;
  readonly #set: (features: readonly object[]) => void;
  readonly #onBegin: () => void;
  #kind: Scene['drawing'] = null;
  #end: (() => void) | null = null;

  /** @param set receives the features of the draft. @param onBegin is called before somebody begins. */
  constructor(map: Canvas, set: (features: readonly object[]) => void, onBegin: () => void) {
    this.#map = map;
    this.#set = set;
    this.#onBegin = onBegin;
  }

  get isOn(): boolean {
    return this.#end !== null;
  }

  /** Begins or ends what a scene says. */
  follow({ drawing, area }: Scene): void {
    if (drawing === this.#kind) return;
    this.end();
    this.#kind = drawing;
    if (drawing === null) return;
    this.#onBegin();
    // Keys that are pressed next are for the map.
    this.#map.getCanvas().focus();
    if (drawing === 'corners') this.#end = area && this.#move(area);
    else
      this.#end = drawOn(
        this.#map,
        drawing,
        (line, corners) => this.#show(line, corners, []),
        drawn => {
          this.#end = null;
          showOnMap({ drawing: null });
          eventsNow().onDrawn?.(drawn);
        },
      );
  }

  end(): void {
    this.#end?.();
    this.#end = null;
    this.#kind = null;
  }

  #move(area: AreaGeometry): () => void {
    return moveCorners(
      this.#map,
      area,
      (corners, middles) => this.#show([], corners, middles),
      changed => eventsNow().onDrawn?.(changed),
      () => {
        showOnMap({ drawing: null });
        eventsNow().onDrawn?.(null);
      },
    );
  }

  #show(line: readonly Position[], corners: readonly Position[], middles: readonly Position[]): void {
    this.#set([
      ...(line.length > 1
        ? [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: line } }]
        : []),
      ...middles.map(one => point(one, 'middle')),
      ...corners.map(one => point(one, 'corner')),
    ]);
  }
}
