import type { Box } from '../../../datasets/geometry.ts';
import { MAP_LAYERS } from '../../../datasets/map-layers.ts';
import type { ColumnPick } from '../../format/column-pick.ts';
import { boxOfTile, EXTENT, type TileName, xIn, yIn } from '../../tile/tile-grid.ts';
import { shapeIn } from '../../tile/tile-shape.ts';
import { type TileFeature, writeTile } from '../../tile/tile-writer.ts';
import type { CountySet } from '../county-set.ts';
import type { SetGround } from '../ground/set-ground.ts';

/** The deepest zoom: as of the tiles of parcels, whose outlines these are. */
export const DEEPEST_MATCHES = MAP_LAYERS.parcels.maxZoom;
/** Units of a tile below which an outline is a dot on a screen: three pixels of a map that shows tiles 512 wide. */
const LEAST_OUTLINE = 24;
/** Units between two points of smaller parcels: with them a tile has 16,384 of them at most, whatever it shows. */
const STEP = 32;
const CELLS = EXTENT / STEP;
/** Outlines of a tile, at most: parcels beyond that are points, as of a tower whose rooms all have the outline of its lot. */
const MOST_OUTLINES = 20_000;
/** Units of a tile below which detail of an outline cannot be seen. */
const TOLERANCE = 4;
/** Parcels between two pauses. */
const PAUSE = 256;

/** Which rows of a county pass, a byte each. */
export interface Passing {
  readonly rows: Uint8Array;
  /** Those that may pass: a calculation failed that would tell. */
  readonly unknown: number;
  readonly bytes: number;
}

/** The parcels of a tile: outlines of those that are large enough, and points for those that are not. */
export class MatchTileDrawing {
  readonly #tile: TileName;
  readonly #outlines: TileFeature[] = [];
  /** By cell: how many parcels, and the sums of where they lie. */
  readonly #count = new Uint32Array(CELLS * CELLS);
  readonly #x = new Float64Array(CELLS * CELLS);
  readonly #y = new Float64Array(CELLS * CELLS);

  constructor(tile: TileName) {
    this.#tile = tile;
  }

  /** Adds the rows of a county that pass. @throws DamagedFile when a row cannot be read; what the ground's step throws. */
  async add(set: CountySet, { rows }: Passing, { step }: SetGround): Promise<void> {
    const found: number[] = [];
    set.parcels.search(boxOfTile(this.#tile), row => {
      if (rows[row] === 1) found.push(row);
    });
    const pick = set.parcels.columnPick(['apn']);
    for (const [i, row] of found.entries()) {
      if (i % PAUSE === PAUSE - 1) await step();
      const box = set.parcels.box(row);
      if (this.#isOutlined(box) && this.#outline(set, row, pick)) continue;
      this.#point(this.#centre(set, row, box));
    }
  }

  /** @returns no bytes where nothing lies in the tile. */
  bytes(): Uint8Array {
    const points: TileFeature[] = [];
    for (const [cell, count] of this.#count.entries()) {
      if (count === 0) continue;
      const at: [number, number] = [Math.floor(this.#x[cell]! / count), Math.floor(this.#y[cell]! / count)];
      points.push({ shape: { kind: 1, paths: [[at]] }, properties: { count } });
    }
    return Buffer.concat([writeTile('matches', this.#outlines), writeTile('match_points', points)]);
  }

  #isOutlined([west, south, east, north]: Box): boolean {
    const tile = this.#tile;
    if (this.#outlines.length >= MOST_OUTLINES) return false;
    if (tile.z >= DEEPEST_MATCHES) return true;
    // A parcel with parts at both sides of 180° has a box around the earth.
    if (east - west > 180) return false;
    return Math.max(xIn(east, tile) - xIn(west, tile), yIn(south, tile) - yIn(north, tile)) >= LEAST_OUTLINE;
  }

  /** @returns whether there is anything of it to see. */
  #outline(set: CountySet, row: number, pick: ColumnPick): boolean {
    const tolerance = this.#tile.z >= DEEPEST_MATCHES ? 0 : TOLERANCE;
    const shape = shapeIn(set.parcels.boundary(row), this.#tile, tolerance);
    if (!shape) return false;
    const { apn = null } = set.parcels.pick(row, pick);
    this.#outlines.push({ shape, properties: { parcel_id: set.parcelId(row), apn } });
    return true;
  }

  #centre(set: CountySet, row: number, [west, south, east, north]: Box): readonly [lng: number, lat: number] {
    if (east - west <= 180) return [(west + east) / 2, (south + north) / 2];
    const { centroid_lon: lng, centroid_lat: lat } = set.parcels.pick(
      row,
      set.parcels.columnPick(['centroid_lon', 'centroid_lat']),
    );
    return [Number(lng), Number(lat)];
  }

  /** A parcel is counted in the one tile in which the middle of its box lies. */
  #point([lng, lat]: readonly [number, number]): void {
    const [x, y] = [xIn(lng, this.#tile), yIn(lat, this.#tile)];
    if (!(x >= 0 && y >= 0 && x < EXTENT && y < EXTENT)) return;
    const cell = Math.floor(y / STEP) * CELLS + Math.floor(x / STEP);
    this.#count[cell]!++;
    this.#x[cell]! += x;
    this.#y[cell]! += y;
  }
}
