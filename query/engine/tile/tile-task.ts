import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { MapLayerId } from '../../../datasets/map-layers.ts';
import type { TaskEnvironment } from '../../evaluate/environment.ts';
import { settled } from '../../evaluate/evaluate.ts';
import { Fault, Interrupted } from '../../release/fault.ts';
import { tileOf } from '../../tile/tile.ts';
import type { TileName } from '../../tile/tile-grid.ts';

/** A tile that somebody wants. */
export interface TileRequest {
  /** Each once, and each in the release. */
  readonly layers: readonly MapLayerId[];
  readonly tile: TileName;
}

/** A tile as it is sent; empty where nothing lies in it. */
export interface TileBytes {
  readonly bytes: Uint8Array;
  /** The same in gzip. */
  readonly zipped: Uint8Array;
  /** SHA-256 of `bytes`, base64url. */
  readonly digest: string;
}

/** What crosses from the worker: the tile, or why there is none. */
export type TileOutcome = TileBytes | { readonly failed: string };

/** A tile could not be made: a file cannot be read, or the time was up. */
export class TileFailed extends Error {
  override readonly name = 'TileFailed';
}

/** Fast, and within a few percent of the best: tiles are compressed while somebody waits for them. */
const GZIP_LEVEL = 5;

/** Makes a tile. Never throws but Interrupted. */
export async function tileTask(
  { layers: ids, tile }: TileRequest,
  { release, cache, deadline, stopped, pause }: TaskEnvironment,
): Promise<TileOutcome> {
  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the tile');
    if (Date.now() > deadline) throw new Fault('the time for this tile was up', true);
  };
  const failed = (error: unknown): TileOutcome => {
    if (error instanceof Interrupted) throw error;
    return { failed: (error as Error).message };
  };
  const bytesOf = (bytes: Uint8Array): TileOutcome => ({
    bytes,
    zipped: gzipSync(bytes, { level: GZIP_LEVEL }),
    digest: createHash('sha256').update(bytes).digest('base64url'),
  });
  await pause?.();
  return settled<TileOutcome>(
    layers =>
      layers
        ? tileOf(ids, tile, layers, check).then(bytesOf, failed)
        : Promise.resolve(failed(new Fault('no release is installed'))),
    { release, cache },
    failed,
  );
}
