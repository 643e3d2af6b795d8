import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { joinsOf, type Place, type PlaceFile, type PlaceLayer } from '../../datasets/place/place.ts';

/** A published file in the sources folder. */
export interface SourceFile {
  /** Path below the sources folder. */
  readonly file: string;
  /** Null when there is no such file. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Layers that read it, as `dataset:layer`. */
  readonly layers: readonly string[];
}

/** Returns the files that a place reads with their uses, in order of first use: layers, joined tables, coverage polygons. */
export function filesOfPlace(place: Place | PlaceFile): Map<string, string[]> {
  const files = new Map<string, string[]>();
  const add = (file: string, layer: string) => {
    const layers = files.get(file) ?? [];
    if (!layers.includes(layer)) layers.push(layer);
    files.set(file, layers);
  };
  for (const layer of place.layers) {
    const name = `${layer.dataset}:${layer.layer}`;
    add(layer.file, name);
    for (const join of joinsOf(layer as PlaceLayer)) add(join.file, name);
    if (layer.coverage && 'file' in layer.coverage) add(layer.coverage.file, name);
  }
  if ('file' in place.coverage) add(place.coverage.file, 'coverage');
  return files;
}

/**
 * Finds every file of a place in the sources folder.
 * @param hash returns the SHA-256 of a file; without it the result has none.
 */
export async function acquire(
  place: Place,
  sources: string,
  hash?: (path: string) => Promise<string>,
): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const [file, layers] of filesOfPlace(place)) {
    const path = join(sources, file);
    const info = await stat(path).catch(() => null);
    const present = info?.isFile() ?? false;
    found.push({
      file,
      layers,
      bytes: present ? info!.size : null,
      sha256: present && hash ? await hash(path) : null,
    });
  }
  return found;
}
