import type { Place } from '../shell/address.ts';

/** West, south, east, north, degrees. */
export type Box = readonly [number, number, number, number];

/** A polygon or several, lng,lat, as GeoJSON. */
export interface AreaGeometry {
  readonly type: 'Polygon' | 'MultiPolygon';
  readonly coordinates: unknown;
}

/** A parcel on the page of a search. */
export interface MapMatch {
  readonly id: number;
  readonly geometry: AreaGeometry;
}

/** What the map shows over its layers. */
export interface Scene {
  readonly marker: Place | null;
  readonly parcel: AreaGeometry | null;
  readonly matches: readonly MapMatch[];
  /** Of the match that is looked at; null for none. */
  readonly highlighted: number | null;
  readonly area: AreaGeometry | null;
  /** Whether clicks draw an area. */
  readonly drawing: boolean;
}

const EMPTY: Scene = { marker: null, parcel: null, matches: [], highlighted: null, area: null, drawing: false };

/** What happens on the map, for the view that is shown. */
export interface MapEvents {
  onClick?(place: Place): void;
  onMatch?(id: number): void;
  onDrawn?(area: AreaGeometry | null): void;
}

let scene = EMPTY;
let events: MapEvents = {};
let fitting: Box | null = null;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** What the map shows now. */
export const sceneNow = (): Scene => scene;

/** The events of the view that is shown. */
export const eventsNow = (): MapEvents => events;

/** Changes parts of what the map shows. */
export function showOnMap(parts: Partial<Scene>): void {
  scene = { ...scene, ...parts };
  tell();
}

/** Begins a view: an empty map with its events. @returns what ends it. */
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

/** Moves the map so that a box is seen. */
export function fitOnMap(box: Box): void {
  fitting = box;
  tell();
}

/** The box that is to be seen, once. */
export function takeFitting(): Box | null {
  const box = fitting;
  fitting = null;
  return box;
}

/** Calls back whenever the scene changes. @returns what ends that. */
export function followScene(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The box around every position of geometries; null where there is none. */
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
