import { ask } from '../api/request.ts';
import type { AreaGeometry, Box } from './scene.ts';

/** A place that the release holds. */
export interface Holding {
  readonly name: string;
  readonly box: Box;
}

interface Coverage {
  readonly counties: readonly {
    readonly places: readonly string[];
    readonly layers: readonly { readonly dataset: string; readonly box: Box | null }[];
  }[];
  readonly next_after: string | null;
}

/** The name of a place in words: `bangor-me` is Bangor, ME. */
function placeName(id: string): string {
  const words = id.split('-');
  const state = words.length > 1 && words.at(-1)!.length === 2 ? words.pop()! : null;
  const name = words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return state === null ? name : `${name}, ${state.toUpperCase()}`;
}

/** The box about two. */
const around = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

/** The places of the release, by where their parcels lie. Of more counties than one answer tells, none: the box about all stands for them. */
export async function fetchHoldings(): Promise<Holding[]> {
  const { counties, next_after: more } = await ask<Coverage>({
    method: 'GET',
    path: '/v1/meta/coverage',
    isPublic: true,
  });
  if (more !== null) return [];
  const boxes = new Map<string, Box>();
  for (const { places, layers } of counties) {
    const boxed = layers.filter(({ box }) => box !== null);
    const { box = null } = boxed.find(({ dataset }) => dataset === 'parcel_store') ?? boxed[0] ?? {};
    const name = places.map(placeName).join(' and ');
    const before = boxes.get(name);
    if (box) boxes.set(name, before ? around(before, box) : box);
  }
  return [...boxes].map(([name, box]) => ({ name, box }));
}

const meet = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/** Whether any place of the release lies in a box. */
export const holdsIn = (holdings: readonly Holding[], box: Box): boolean => holdings.some(one => meet(one.box, box));

/** Boxes that meet, as one: holes of a mask may not overlap. */
function apart(boxes: readonly Box[]): Box[] {
  const merged: Box[] = [];
  for (let next of boxes) {
    for (let i = merged.findIndex(one => meet(one, next)); i >= 0; i = merged.findIndex(one => meet(one, next))) {
      const [other] = merged.splice(i, 1) as [Box];
      next = around(other, next);
    }
    merged.push(next);
  }
  return merged;
}

const ringOf = ([west, south, east, north]: Box) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** All of the world that the release does not hold. */
export const outsideOf = (holdings: readonly Holding[]): AreaGeometry => ({
  type: 'Polygon',
  coordinates: [ringOf([-180, -85, 180, 85]), ...apart(holdings.map(({ box }) => box)).map(ringOf)],
});
