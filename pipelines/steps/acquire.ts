import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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

/** Returns the paths of the files of which a published file consists: itself, or those of the folder of a geodatabase. */
async function partsOf(path: string): Promise<string[]> {
  const info = await stat(path).catch(() => null);
  if (info?.isFile()) return [path];
  if (!info?.isDirectory() || !/\.gdb$/i.test(path)) return [];
  // A lock says who looks at the geodatabase, not what is in it.
  const names = (await readdir(path)).filter(name => !name.endsWith('.lock'));
  return names.sort().map(name => join(path, name));
}

/** Returns the SHA-256 of a file, or of the names and hashes of the files of a geodatabase. */
async function hashOfParts(parts: readonly string[], hash: (path: string) => Promise<string>): Promise<string> {
  if (parts.length === 1) return hash(parts[0]!);
  const whole = createHash('sha256');
  for (const part of parts) whole.update(`${basename(part)} ${await hash(part)}\n`);
  return whole.digest('hex');
}

/** Files that readers open beside one of the same name: attributes, CRS and encoding of a shapefile, parts of MapInfo tables. */
const BESIDE = /\.(dbf|shx|prj|cpg|mid|dat|map|id|ind|xsd|tfw|aux\.xml)$/i;

/** Returns the paths of files beside a file that are read with it. */
async function besideOf(path: string): Promise<string[]> {
  if (!/\.(shp|dbf|tab|mif|gml|asc|tiff?)$/i.test(path)) return [];
  const name = basename(path);
  const stem = name.slice(0, name.lastIndexOf('.') + 1).toLowerCase();
  const names = (await readdir(dirname(path))).filter(other => {
    const lower = other.toLowerCase();
    return (
      other !== name && BESIDE.test(lower) && (lower.startsWith(stem) || lower.startsWith(`${name.toLowerCase()}.`))
    );
  });
  return names.sort().map(other => join(dirname(path), other));
}

/** Returns the SHA-256 of all that a reader of a published file reads. @param hash returns that of one file. */
export async function hashOfRead(path: string, hash: (path: string) => Promise<string>): Promise<string> {
  return hashOfParts(await filesOfRead(path), hash);
}

/** Returns the paths of all that a reader of a published file reads: its parts, and what lies beside it. */
export async function filesOfRead(path: string): Promise<string[]> {
  const parts = [...(await partsOf(path)), ...(await besideOf(path))];
  return parts.length > 0 ? parts : [path];
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
    const parts = await partsOf(path);
    const sizes = await Promise.all(parts.map(async part => (await stat(part)).size));
    const present = parts.length > 0;
    found.push({
      file,
      layers,
      bytes: present ? sizes.reduce((sum, size) => sum + size, 0) : null,
      sha256: present && hash ? await hashOfParts(parts, hash) : null,
    });
  }
  return found;
}
