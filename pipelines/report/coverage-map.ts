import { join } from 'node:path';
import type { Box } from '../../datasets/geometry.ts';
import type { Manifest, Part } from '../../datasets/release.ts';
import { FeatureFile } from '../../query/format/flatgeobuf.ts';
import { partsOf } from '../../query/release/part.ts';
import { escaped } from '../html-text.ts';

/** Pixels of the longer side of the picture, and of its margin. */
const [SIDE, MARGIN] = [900, 12];
/** Most points of one ring on the page; finer details are narrower than a line. */
const RING_POINTS = 4000;

/** A coverage, with all the layers that share it. */
interface Ground {
  /** Rings of lng,lat; the ring of a box if the extent of the data is the coverage. */
  readonly rings: readonly Float64Array[];
  readonly box: Box;
  readonly places: Set<string>;
  readonly layers: Set<string>;
}

const ringOf = ([west, south, east, north]: Box) => Float64Array.of(west, south, east, south, east, north, west, north);

/** Returns every ring of a coverage file. @throws DamagedFile. */
function ringsIn(path: string): Float64Array[] {
  const file = new FeatureFile(path);
  try {
    return Array.from({ length: file.count }, (_, i) => file.geometry(i)).flatMap(({ xy, ends }) =>
      Array.from(ends, (end, i) => xy.slice(2 * (i === 0 ? 0 : ends[i - 1]!), 2 * end)),
    );
  } finally {
    file.close();
  }
}

function boxOfRings(rings: readonly Float64Array[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings)
    for (let i = 0; i < ring.length; i += 2) {
      [west, east] = [Math.min(west, ring[i]!), Math.max(east, ring[i]!)];
      [south, north] = [Math.min(south, ring[i + 1]!), Math.max(north, ring[i + 1]!)];
    }
  return [west, south, east, north];
}

/** Returns the coverages of everything that is not national. */
function groundsOf(manifest: Manifest, releases: string): Ground[] {
  const grounds = new Map<string, Ground>();
  const add = (key: string, name: string, part: Part, rings: () => readonly Float64Array[]) => {
    let ground = grounds.get(key);
    if (!ground) {
      const own = rings();
      ground = { rings: own, box: boxOfRings(own), places: new Set(), layers: new Set() };
      grounds.set(key, ground);
    }
    ground.places.add(part.place);
    ground.layers.add(name);
  };
  for (const [dataset, layers] of Object.entries(manifest.datasets))
    for (const [layer, { partitions }] of Object.entries(layers))
      for (const part of partitions.filter(({ key }) => key !== 'US').flatMap(partsOf)) {
        const name = `${dataset}:${layer}`;
        const file = part.files.find(({ role }) => role === 'coverage');
        if (part.coverage === 'polygon' && file) add(file.sha256, name, part, () => ringsIn(join(releases, file.path)));
        else if (part.box) add(part.box.join(), name, part, () => [ringOf(part.box!)]);
      }
  return [...grounds.values()].filter(({ box }) => box.every(Number.isFinite));
}

/** Returns a shape as an SVG path on whole pixels; a point equal to the one before is left out. */
function pathOf(rings: readonly Float64Array[], at: (lng: number, lat: number) => readonly [number, number]): string {
  return rings
    .map(ring => {
      const step = 2 * Math.max(1, Math.ceil(ring.length / 2 / RING_POINTS));
      const points: string[] = [];
      for (let i = 0; i < ring.length; i += step) {
        const point = at(ring[i]!, ring[i + 1]!).join(' ');
        if (point !== points.at(-1)) points.push(point);
      }
      return `M${points.join('L')}Z`;
    })
    .join('');
}

/**
 * Draws where a release has data, as an SVG picture: the coverage of everything that is not national, with places and layers as
 * titles. Longitudes have the width that they have at the middle latitude.
 * @returns null if everything is national.
 * @throws DamagedFile when a coverage file cannot be read.
 */
export function coverageMap(manifest: Manifest, releases: string): string | null {
  // Draw smaller ones above larger ones, so that the mouse can point at each.
  const grounds = groundsOf(manifest, releases).sort((a, b) => areaOf(b.box) - areaOf(a.box));
  if (grounds.length === 0) return null;
  const all = boxOfRings(grounds.map(({ box }) => ringOf(box)));
  const [west, south, east, north] = all;
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [across, down] = [Math.max((east - west) * narrow, 1e-6), Math.max(north - south, 1e-6)];
  const scale = (SIDE - 2 * MARGIN) / Math.max(across, down);
  const pixel = (value: number) => Math.round(MARGIN + value * scale);
  const at = (lng: number, lat: number) => [pixel((lng - west) * narrow), pixel(north - lat)] as const;
  const [width, height] = [pixel(across) + MARGIN, pixel(down) + MARGIN];
  const shapes = grounds.map(({ rings, places, layers }) => {
    const title = `${[...places].sort().join(', ')}: ${layers.size} layers: ${[...layers].sort().join(', ')}`;
    return `<path d="${pathOf(rings, at)}"><title>${escaped(title)}</title></path>`;
  });
  const [w, s, e, n] = all.map(degrees => degrees.toFixed(3));
  const picture = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Ground that the release covers">${shapes.join('')}</svg>`;
  return `${picture}<p>Longitude ${w} to ${e}, latitude ${s} to ${n}. The stronger the color, the more coverages lie over one another.</p>`;
}

const areaOf = ([west, south, east, north]: Box) => (east - west) * (north - south);
