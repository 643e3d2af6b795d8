import { encode } from 'fast-png';
import { CELLS, levelled, type TileHeights } from './tile-heights.ts';

/** What is added to a height before it is written, so that none is negative. */
const BASE = 32_768;

/**
 * The heights of a tile as a picture in the Terrarium encoding, which maps shade: meters are red · 256 + green + blue / 256 - 32768.
 * @param step meters to which heights are rounded: each bit of noise is half of a tile's bytes.
 */
export function terrainImage(heights: TileHeights, step: number): Uint8Array {
  const values = levelled(heights);
  const { side, margin } = heights;
  const data = new Uint8Array(CELLS * CELLS * 3);
  for (let row = 0, out = 0; row < CELLS; row++)
    for (let column = 0; column < CELLS; column++) {
      const raised = Math.round(values[(row + margin) * side + column + margin]! / step) * step + BASE;
      data[out++] = Math.floor(raised / 256);
      data[out++] = Math.floor(raised) % 256;
      data[out++] = Math.floor((raised % 1) * 256);
    }
  return encode({ width: CELLS, height: CELLS, data, channels: 3, depth: 8 });
}
