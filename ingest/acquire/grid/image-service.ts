import type { Box } from '../../../datasets/geometry.ts';
import { crsOf, type SpatialReference } from '../../esri/esri-geometry.ts';
import { Passing } from '../client.ts';
import { AcquireError } from '../fault.ts';
import type { Seen, Source, SourceReader, Tools } from '../source-reader.ts';
import { cut, type Grid } from './cut.ts';

/** What an image service says of itself: ArcGIS REST API, Image Service. */
interface Description {
  readonly error?: { readonly code?: number; readonly message?: string };
  readonly pixelSizeX?: number;
  readonly pixelSizeY?: number;
  readonly pixelType?: string;
  readonly maxImageWidth?: number;
  readonly maxImageHeight?: number;
  readonly extent?: {
    readonly xmin: number;
    readonly ymin: number;
    readonly xmax: number;
    readonly ymax: number;
    readonly spatialReference?: SpatialReference;
  };
}

/** Least size of an image that services allow by default. */
const MOST = 4100;
/** The code of Esri for the projection of national grids, which EPSG has too. */
const CONUS_ALBERS = ['ESRI:102039', 'EPSG:5070'] as const;

/** @throws AcquireError when the address describes no image service. */
async function gridOf({ url, where }: Source, { client, signal }: Tools): Promise<Grid> {
  const said = await client.patiently(
    url,
    async () => {
      const answer = (await client.jsonOnce(`${url}?f=json`, signal)) as Description | null;
      const { code = 0, message = 'no reason' } = answer?.error ?? {};
      if (code === 429 || code >= 500) throw new Passing(`the service says ${code}: ${message}`);
      if (answer?.error) throw new AcquireError('forbidden', url, `the service says ${code}: ${message}`);
      return answer;
    },
    signal,
  );
  const { extent, pixelSizeX, pixelSizeY, pixelType = 'UNKNOWN' } = said ?? {};
  if (!extent?.spatialReference || !pixelSizeX || !pixelSizeY)
    throw new AcquireError('wrong_content', url, 'describes no images');
  const { spatialReference } = extent;
  const crs = crsOf(spatialReference);
  const system = String(spatialReference.wkid ?? JSON.stringify({ wkt: spatialReference.wkt }));
  const rule: Record<string, string> = where === '' ? {} : { mosaicRule: JSON.stringify({ where }) };
  return {
    crs: crs === CONUS_ALBERS[0] ? CONUS_ALBERS[1] : crs,
    box: [extent.xmin, extent.ymin, extent.xmax, extent.ymax],
    cellX: pixelSizeX,
    cellY: pixelSizeY,
    most: Math.min(said!.maxImageWidth ?? MOST, said!.maxImageHeight ?? MOST),
    address: (box: Box, columns, rows) =>
      `${url}/exportImage?${new URLSearchParams({
        ...{ bbox: box.join(','), bboxSR: system, imageSR: system, size: `${columns},${rows}`, format: 'tiff' },
        ...{ pixelType, interpolation: 'RSP_NearestNeighbor', adjustAspectRatio: 'false', ...rule, f: 'image' },
      })}`,
  };
}

/** Cuts the ground out of an ArcGIS image service, by `exportImage` in tiles of its own cells. */
export const imageService: SourceReader = {
  async look(source, tools): Promise<Seen> {
    await gridOf(source, tools);
    return { stamp: null, changedAt: null, bytes: null, rows: null };
  },
  take: async (source, _held, target, tools) => cut(await gridOf(source, tools), source, target, tools),
};
