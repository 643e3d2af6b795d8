import type { Geometry } from '../../datasets/geometry.ts';
import type { SourceRef } from '../../datasets/grammar/expression.ts';
import type { Partition } from '../../datasets/release.ts';
import type { Drawing } from '../buildable/near-shapes.ts';
import { planeArea } from '../buildable/plane-area.ts';
import { areaOf } from '../evaluate/area/area.ts';
import { candidatesOn } from '../evaluate/area/candidates.ts';
import { outsideReason, type Piece, piecesOf } from '../evaluate/area/piece.ts';
import { openArea } from '../evaluate/evaluate-area.ts';
import { roundFraction } from '../evaluate/published.ts';
import { rejectedAbout } from '../evaluate/rejected/rejected.ts';
import type { Shape } from '../evaluate/vector/coverage-shapes.ts';
import { byText } from '../evaluate/vector/vector-search.ts';
import type { Feature } from '../release/features.ts';
import type { Layers } from '../release/layers.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import type { Standing } from './request.ts';
import { citationList, fact, failure, gap } from './standing.ts';

/** Whose footprints structures are. */
const BUILDINGS: SourceRef = { dataset: 'fema_usa_structures', layer: 'main', where: null };
/** What a building must share with the ground: less is how outlines of two sources lie on one another. */
const [LEAST_M2, LEAST_SHARE] = [1, 0.01];
/** Share of the ground that may lie beyond a coverage: outlines of counties are drawn by others. */
const SLIVER_SHARE = 0.001;

/** A building with a part on the ground. */
export interface Building {
  readonly feature: Feature;
  readonly partition: Partition;
  readonly squareMetres: number;
  /** The share of it on the ground. */
  readonly onGround: number;
}

/** The buildings on some ground, the largest first, and what is known of them. */
export interface Buildings {
  readonly footprints: Standing;
  readonly buildings: readonly Building[];
  readonly partly: boolean;
  readonly rejected: number;
}

/** The ground on which the partitions of a piece answer. @param outline lng,lat degrees. */
function groundOf({ within, without }: Piece, outline: Geometry, { geos }: Drawing): Geometry | null {
  const united = (shapes: readonly Shape[]) => geos.union(shapes.map(shape => shape.geometry()));
  if (within !== null) {
    const held = united(within);
    return held && geos.common(outline, held);
  }
  const taken = united(without);
  return taken ? geos.minus(outline, taken) : outline;
}

/**
 * The buildings on some ground: those that share more of it than outlines of two sources do by accident.
 * @param outline lng,lat degrees. @throws Interrupted when nobody waits any more.
 */
export async function buildingsOn(
  outline: Geometry,
  drawing: Drawing,
  environment: SearchEnvironment,
  layers: Layers,
): Promise<Buildings> {
  const { plane, geos, ground } = drawing;
  const nothing = { buildings: [], partly: false, rejected: 0 };
  const { ctx, within } = openArea(await areaOf(outline), environment, layers);
  const squareMetres = (shape: Geometry | null) => (shape ? planeArea(plane.inMetres(shape)) : 0);
  try {
    return await within(async () => {
      const all = await piecesOf(ctx, BUILDINGS, null);
      if (all.pieces.length === 0)
        return {
          footprints: gap(outsideReason(BUILDINGS, all), citationList(all.covering), BUILDINGS.dataset),
          ...nothing,
        };
      const buildings: Building[] = [];
      let [mapped, rejected] = [0, 0];
      for (const piece of all.pieces) {
        const own = groundOf(piece, outline, drawing);
        if (!own) continue;
        mapped += squareMetres(own);
        for (const { partition, features, index } of await candidatesOn(ctx, BUILDINGS, null, piece.search)) {
          await ctx.pause();
          const feature = features.feature(index);
          const part = squareMetres(geos.common(feature.geometry, own));
          const whole = squareMetres(feature.geometry);
          if (part < Math.max(LEAST_M2, whole * LEAST_SHARE)) continue;
          const onGround = roundFraction(Math.min(1, part / whole));
          buildings.push({ feature, partition, squareMetres: whole, onGround });
        }
        rejected += (await rejectedAbout(ctx, BUILDINGS, piece.search, null, [ctx.area.box])).length;
      }
      const idOf = ({ feature }: Building) => String(feature.properties.BUILD_ID ?? '');
      buildings.sort((a, b) => b.squareMetres - a.squareMetres || byText(idOf(a), idOf(b)));
      const partitions = new Set(buildings.map(({ partition }) => partition));
      const cited = citationList(partitions.size > 0 ? partitions : all.covering);
      const partly = mapped < planeArea(ground) * (1 - SLIVER_SHARE);
      return { footprints: fact(cited, BUILDINGS.dataset), buildings, partly, rejected };
    });
  } catch (error) {
    return { footprints: failure(error, BUILDINGS.dataset), ...nothing };
  }
}
