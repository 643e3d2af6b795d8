import type { Geometry } from '../../../datasets/geometry.ts';
import type { MapContent } from './collect.ts';

/** Steps of the grid that coordinates are rounded to, along the longer side of the view. */
const GRID = 16_384;
/** Colours of layers, told apart by most eyes (Okabe and Ito's, then tints of them); red is kept for rejects. */
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
  /** Features: of a polygon its rings, of a line its chains, of points one chain. */
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

/** A map on a grid of whole numbers: small enough to be written into a page, exact enough to be looked into. */
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
 * Puts a map on its grid: longitude shrunk by the cosine of the middle latitude, north up; points that fall together are one.
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
    // Areas below lines below points; of areas those with the fewest features, which are the largest, lowest.
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
