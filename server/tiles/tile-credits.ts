import type { Box } from '../../datasets/geometry.ts';
import { type MapLayerId, TERRAIN } from '../../datasets/map-layers.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { sourcesOf } from '../../query/tile/tile.ts';

/** Whom a map names that shows some of its layers within a box. */
export interface TileCredit {
  readonly text: string;
  /** Layers of the tiles, or `terrain`. */
  readonly layers: readonly string[];
  /** lng,lat; null: anywhere. */
  readonly box: Box | null;
}

/** Characters that maps would take for HTML. */
const plain = (text: string) => text.replaceAll('&', 'and').replace(/[<>"]/g, '');

/** The smallest box about some; null where one of them is anywhere, or there is none. */
export const around = (boxes: readonly (Box | null)[]): Box | null =>
  boxes.length === 0 || boxes.includes(null)
    ? null
    : [
        Math.min(...boxes.map(box => box![0])),
        Math.min(...boxes.map(box => box![1])),
        Math.max(...boxes.map(box => box![2])),
        Math.max(...boxes.map(box => box![3])),
      ];

/** Publishers of the files that the release has of some layers and of the terrain, with the licence of each, by name. */
export function tileCredits(engine: Engine, layers: readonly MapLayerId[]): readonly TileCredit[] {
  const { dataset, layer } = TERRAIN.source;
  const byFile = new Map<string, string>([[`${dataset}:${layer}`, 'terrain']]);
  for (const id of layers) for (const of of sourcesOf(id)) byFile.set(`${of.dataset}:${of.layer}`, id);
  const drawn = engine.installed().flatMap(source => {
    const id = byFile.get(`${source.dataset}:${source.layer}`);
    return id === undefined ? [] : [{ id, box: source.box, text: plain(`${source.publisher} (${source.licence})`) }];
  });
  return [...Map.groupBy(drawn, ({ text }) => text)]
    .map(([text, sources]) => ({
      text,
      layers: [...new Set(sources.map(({ id }) => id))],
      box: around(sources.map(({ box }) => box)),
    }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}
