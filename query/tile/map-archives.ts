import type { Box } from '../../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId } from '../../datasets/map-layers.ts';
import type { Manifest, TileArchive } from '../../datasets/release.ts';
import { BoxIndex } from '../format/box-index.ts';
import { boxOfTile, type TileName } from './tile-grid.ts';

/** Where archives of earlier builds lie, of which nothing says it. */
const ANYWHERE: Box = [-180, -90, 180, 90];

/** The archives of a map layer, found by where they lie. */
interface Placed {
  readonly archives: readonly TileArchive[];
  readonly index: BoxIndex;
}

const placed = new WeakMap<Manifest, ReadonlyMap<string, Placed>>();

/** The map layer of an archive, by its key in a manifest. */
export const layerOfArchive = (key: string): string => key.split('/')[0]!;

function placedIn(manifest: Manifest): ReadonlyMap<string, Placed> {
  let cached = placed.get(manifest);
  if (!cached) {
    const layers = Map.groupBy(Object.entries(manifest.tiles ?? {}), ([key]) => layerOfArchive(key));
    const boxOf = ({ box = ANYWHERE }: TileArchive): Box | null => box;
    cached = new Map(
      [...layers].map(([layer, entries]) => {
        const archives = entries.map(([, archive]) => archive);
        return [layer, { archives, index: new BoxIndex(archives.map(boxOf)) }];
      }),
    );
    placed.set(manifest, cached);
  }
  return cached;
}

/** The map layers that a release has archives of, in the order in which they are drawn. */
export function archivedIn(manifest: Manifest): readonly MapLayerId[] {
  const layers = placedIn(manifest);
  const isThere = (id: MapLayerId) => layers.get(id)?.archives.some(({ file }) => file !== null);
  return (Object.keys(MAP_LAYERS) as MapLayerId[]).filter(isThere);
}

/** The archives of a map layer that may hold something of a tile, in the order of the manifest. */
export function archivesAt(manifest: Manifest, id: MapLayerId, tile: TileName): readonly TileArchive[] {
  const { archives, index } = placedIn(manifest).get(id) ?? { archives: [], index: null };
  return (index?.meeting([boxOfTile(tile)]) ?? []).map(place => archives[place]!);
}
