import { createHash } from 'node:crypto';
import { type Box, union } from '../../../datasets/geometry.ts';
import type { Part, Partition, PartitionOutline, ReleaseFile } from '../../../datasets/release.ts';
import { partsOf } from '../part.ts';

/** Allowed for beside a tenth of its size about a raster's box, degrees. */
const MARGIN = 0.01;

/**
 * A raster's box with what is allowed for about it: it may have been made from the corners, and edges of a projected grid
 * bulge between them.
 */
export function rasterReach([west, south, east, north]: Box): Box {
  const [dx, dy] = [(east - west) / 10 + MARGIN, (north - south) / 10 + MARGIN];
  return [west - dx, south - dy, east + dx, north + dy];
}

/** Met by every box. */
export const GLOBE: Box = [-Infinity, -Infinity, Infinity, Infinity];

const isRaster = ({ files }: Part): boolean => files.some(f => f.role === 'raster');

/** Where a coverage may hold ground; undefined where nobody says, null where it holds none. */
export function coverageReach(part: Part): Box | null | undefined {
  if (part.coverage === 'polygon') return part.files.find(f => f.role === 'coverage')?.box ?? undefined;
  if (part.coverage === 'everywhere') return undefined;
  if (!isRaster(part)) return part.box;
  return part.box ? rasterReach(part.box) : undefined;
}

/** Whether a file keeps rejected rows with the ground that they may concern. */
export const isRejected = ({ role }: ReleaseFile): boolean => role === 'rejected';

/** Whether a file keeps ground that is no parcel. */
export const isGround = ({ role }: ReleaseFile): boolean => role === 'ground';

/** Equal for partitions with the same coverage files in the same order, which hold the same points; null where boxes decide. */
function coveragesOf(bounded: readonly Part[]): string | null {
  const files = bounded.map(p => (p.coverage === 'extent' ? null : p.files.find(f => f.role === 'coverage')));
  if (!files.every(file => file)) return null;
  // Thousands of counties have thousands of names, and every request asks by them.
  return createHash('sha1')
    .update(files.map(file => file!.sha256).join())
    .digest('base64');
}

/** What is said of some partitions, whole ones. */
export function outlineOf(partitions: readonly Partition[]): PartitionOutline {
  const parts = partitions.flatMap(partsOf);
  const boxes = [
    ...parts.map(coverageReach),
    ...partitions.map(p => (p.box && isRaster(p) ? rasterReach(p.box) : p.box)),
    ...partitions.flatMap(({ files }) =>
      files.filter(file => isRejected(file) || isGround(file)).map(({ box }) => box),
    ),
  ];
  // What has no place at all may have to do with every one.
  const reach = boxes.includes(undefined)
    ? null
    : boxes.reduce<Box | null>((all, box) => union(all, box ?? null), null);
  return {
    reach,
    coverages: coveragesOf(parts.filter(p => p.coverage !== 'everywhere')),
    unpublished: [...new Set(partitions.flatMap(p => p.unpublished))].sort(),
    rejected: partitions.some(p => p.files.some(isRejected)),
    ...(partitions.some(p => p.files.some(isGround)) ? { ground: true } : {}),
  };
}
