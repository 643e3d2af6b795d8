import type { TaskEnvironment } from '../../evaluate/environment.ts';
import { settled } from '../../evaluate/evaluate.ts';
import { Fault } from '../../release/fault.ts';
import { type ContourUnit, contourTile } from '../../tile/contour-tile.ts';
import { terrainImage } from '../../tile/terrain-image.ts';
import type { TileName } from '../../tile/tile-grid.ts';
import { heightsOf } from '../../tile/tile-heights.ts';
import { type Failure, failureOf } from '../failure.ts';

/** A tile of the ground. */
export interface TerrainRequest extends TileName {
  /** The unit of contours; null: the heights as a picture. */
  readonly contours: ContourUnit | null;
}

/** Its bytes; none where nothing is known of the ground, or where it is level. */
export interface TerrainTile {
  readonly bytes: Uint8Array | null;
}

/** Meters to which heights are rounded, by zoom: about a hundredth of a cell. */
const stepAt = (z: number) => (z >= 13 ? 0.125 : z === 12 ? 0.25 : 0.5);
/** Cells around a tile that its contours are drawn from, so that they go on in the next. */
const MARGIN = 3;

/** Draws a tile of the release's own terrain. Never throws but Interrupted. */
export const terrainTask = (
  { contours, ...tile }: TerrainRequest,
  environment: TaskEnvironment,
): Promise<TerrainTile | Failure> =>
  settled<TerrainTile>(async layers => {
    if (!layers) throw new Fault('no release is installed; nothing was published yet', true);
    const heights = await heightsOf(tile, contours === null ? 0 : MARGIN, layers);
    if (!heights) return { bytes: null };
    const bytes = contours === null ? terrainImage(heights, stepAt(tile.z)) : contourTile(heights, tile.z, contours);
    return { bytes: bytes.length > 0 ? bytes : null };
  }, environment).catch((error: unknown) => failureOf(error, environment.deadline));
