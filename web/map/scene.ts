import type { Place } from '../shell/address.ts';
import type { DrawingKind, Drawn } from './drawn.ts';

/** West, south, east, north in WGS84 degrees. */
export type Box = readonly [number, number, number, number];

/** A GeoJSON polygon or multipolygon, [lng, lat]. */
export interface AreaGeometry {
  readonly type: 'Polygon' | 'MultiPolygon';
  readonly coordinates: unknown;
}

/** A parcel of a search page. */
export interface MapMatch {
  readonly id: number;
  readonly geometry: AreaGeometry;
}

/** Ground or a point that a view draws in colors of its own. */
export interface MapShape {
  /** Told to whoever listens for clicks on shapes. */
  readonly id: number;
  readonly geometry: AreaGeometry | { readonly type: 'Point'; readonly coordinates: readonly [number, number] };
  /** Of CSS, in the theme that is shown. */
  readonly color: string;
  /** Of what is inside, 0 to 1. */
  readonly opacity: number;
}

/** What the map shows above its layers. */
export interface Scene {
  readonly marker: Place | null;
  readonly parcel: AreaGeometry | null;
  /** Number of the parcel, by which the tiles outline it where its boundary is not had; null for none. */
  readonly apn: string | null;
  /** Where an area crosses itself; null where it does not. */
  readonly crossing: Place | null;
  readonly matches: readonly MapMatch[];
  /** Path of tiles with all parcels that a search found, with {z}, {x} and {y}; null where there are none. */
  readonly matchTiles: string | null;
  /** Index of the highlighted match; null for none. */
  readonly highlighted: number | null;
  readonly area: AreaGeometry | null;
  readonly shapes: readonly MapShape[];
  /** What clicks draw, or that the corners of the area can be moved; null for neither. */
  readonly drawing: DrawingKind | 'corners' | null;
}

const EMPTY: Scene = {
  ...{ marker: null, parcel: null, apn: null, crossing: null },
  ...{ matches: [], matchTiles: null, highlighted: null, area: null, shapes: [], drawing: null },
};

/** Callbacks for events on the map, for the current view. */
export interface MapEvents {
  onClick?(place: Place): void;
  onMatch?(id: number): void;
  onShape?(id: number): void;
  /** What was drawn or changed; null after a cancel, and when all corners are where they shall be. */
  onDrawn?(drawn: Drawn | null): void;
}

let scene = EMPTY;
let events: MapEvents = {};
let fitting: Box | null = null;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** The current scene. */
export const sceneNow = (): Scene => scene;

/** The callbacks of the current view. */
export const eventsNow = (): MapEvents => events;

/** Changes parts of the scene. */
export function showOnMap(parts: Partial<Scene>): void {
  scene = { ...scene, ...parts };
  tell();
}

/** Listens for clicks on shapes beside what the current view listens for. @returns a function that ends it. */
export function listenToShapes(onShape: (id: number) => void): () => void {
  events = { ...events, onShape };
  return () => {
    if (events.onShape === onShape) events = { ...events, onShape: undefined };
  };
}

/** Starts a view with an empty map and its callbacks. @returns a function that ends it. */
export function beginScene(next: MapEvents): () => void {
  scene = EMPTY;
  events = next;
  tell();
  return () => {
    scene = EMPTY;
    events = {};
    tell();
  };
}

/** Moves the map so that a box is visible. */
export function fitOnMap(box: Box): void {
  fitting = box;
  tell();
}

/** Returns the box to show, and forgets it. */
export function takeFitting(): Box | null {
  const box = fitting;
  fitting = null;
  return box;
}

/** Calls back each time the scene changes. @returns a function that stops it. */
export function followScene(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The box around all positions of some geometries; null when there are none. */
export function boxAround(geometries: readonly AreaGeometry[]): Box | null {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    if (typeof value[0] === 'number') {
      const [lng, lat] = value as [number, number];
      [west, south, east, north] = [
        Math.min(west, lng),
        Math.min(south, lat),
        Math.max(east, lng),
        Math.max(north, lat),
      ];
    } else for (const item of value) visit(item);
  };
  for (const geometry of geometries) visit(geometry.coordinates);
  return west <= east ? [west, south, east, north] : null;
}
