import type { Geometry } from '../../../datasets/geometry.ts';
import type { MapContent } from './collect.ts';

/** Steps of the grid along the longer side of the view. Coordinates are rounded to this grid. */
const GRID = 16_384;
/** Colours of layers that most people can distinguish (Okabe and Ito's, then tints of them). Red is for rejects. */
const COLOURS = [
  '#0072B2',
  '#009E73',
  '#E69F00',
  '#56B4E9',
  '#CC79A7',
  '#7A6A00',
  '#5B4DB2',
  '#4D4D4D',
  '#8C510A',
  '#01665E',
];
export const REJECTED = '#D40000';

/** A chain of grid points: x, y of the first, then steps to the next; y runs down. */
export type Chain = readonly number[];

/** A layer on the grid. */
export interface SceneLayer {
  readonly name: string;
  readonly file: string;
  readonly kind: 'point' | 'line' | 'polygon';
  readonly colour: string;
  /** Features as chains: the rings of a polygon, the parts of a line, or one chain of points. */
  readonly features: readonly (readonly Chain[])[];
  readonly count: number;
}

export interface SceneReject {
  readonly layer: string;
  readonly file: string;
  readonly row: number;
  readonly reason: string;
  readonly kind: SceneLayer['kind'] | null;
  readonly chains: readonly Chain[];
}

/** A map on a grid of integers. It is small enough for a page and exact enough to zoom in. */
export interface Scene {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly layers: readonly SceneLayer[];
  readonly rejects: readonly SceneReject[];
  readonly failed: MapContent['failed'];
  /** Metres of one step of the grid. */
  readonly metres: number;
}

const METRES_PER_DEGREE = 111_195;
const kindOf = ({ type }: Geometry): SceneLayer['kind'] =>
  type.includes('Polygon') ? 'polygon' : type.includes('Line') ? 'line' : 'point';

/**
 * Puts a map on its grid, north up. Longitude is multiplied by the cosine of the middle latitude. Equal points become one.
 */
export function sceneOf(content: MapContent): Scene {
  const [west, south, east, north] = content.view;
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [across, down] = [Math.max((east - west) * squeeze, 1e-9), Math.max(north - south, 1e-9)];
  const step = GRID / Math.max(across, down);
  const chainsOf = ({ xy, ends }: Geometry): Chain[] => {
    const chains: Chain[] = [];
    let start = 0;
    for (const end of ends) {
      const chain: number[] = [];
      let [px, py] = [0, 0];
      for (let i = start; i < end; i++) {
        const x = Math.round((xy[i * 2]! - west) * squeeze * step);
        const y = Math.round((north - xy[i * 2 + 1]!) * step);
        if (chain.length > 0 && x === px && y === py) continue;
        chain.push(x - px, y - py);
        [px, py] = [x, y];
      }
      chains.push(chain);
      start = end;
    }
    return chains;
  };
  const names = [...new Set(content.layers.map(layer => layer.name))];
  const order = { polygon: 0, line: 1, point: 2 } as const;
  const layers = content.layers.map(
    (layer): SceneLayer => ({
      name: layer.name,
      file: layer.file,
      kind: layer.kind,
      colour: COLOURS[names.indexOf(layer.name) % COLOURS.length]!,
      features: layer.geometries.map(chainsOf),
      count: layer.geometries.length,
    }),
  );
  return {
    title: content.title,
    width: Math.ceil(across * step),
    height: Math.ceil(down * step),
    // Draw areas first, then lines, then points. Of areas, layers with few (so large) features come first.
    layers: layers.sort((a, b) => order[a.kind] - order[b.kind] || a.count - b.count),
    rejects: content.rejects.map(({ layer, file, row, reason, geometry }) => ({
      layer,
      file,
      row,
      reason,
      kind: geometry && kindOf(geometry),
      chains: geometry ? chainsOf(geometry) : [],
    })),
    failed: content.failed,
    metres: METRES_PER_DEGREE / step,
  };
}
