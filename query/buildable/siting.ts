import type { Geometry } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import type { SitingTemplate } from '../../datasets/siting-templates.ts';
import { type Area, type AreaContext, areaOf } from '../evaluate/area/area.ts';
import { failed } from '../evaluate/finding.ts';
import { ACRE_M2 } from '../geometry/acre.ts';
import { loadGeos } from '../geometry/geos.ts';
import { Interrupted } from '../release/fault.ts';
import { MOST_M2 } from '../sets/ground/outline.ts';
import { wideEnough } from './buildable.ts';
import { shapesAbout } from './excluded-ground.ts';
import { boxAbout, type Drawing, drawingOf, NearShapes } from './near-shapes.ts';
import { largestPiece, piecesAbove, planeArea } from './plane-area.ts';
import type { Exclusion } from './request.ts';
import { exclusionsOf } from './template-exclusions.ts';

/** Metres about the ground within which a source is read, at least: one reading serves several setbacks. */
const LEAST_REACH_M = 32;

/** The square metres that one template leaves of some ground, or the reason why they are not known. */
export type SitingMeasure = { readonly partitions: ReadonlySet<Partition> } & (
  | { readonly status: 'ok'; readonly area: number; readonly largest: number }
  | { readonly status: 'absent' | 'failed'; readonly reason: string; readonly retryable: boolean }
);

/** A template at work. */
class Remainder {
  readonly template: SitingTemplate;
  readonly exclusions: readonly Exclusion[];
  readonly partitions = new Set<Partition>();
  #left: Geometry | null;
  #gap: Extract<SitingMeasure, { readonly reason: string }> | null = null;
  readonly #drawing: Drawing;

  constructor(template: SitingTemplate, drawing: Drawing) {
    const { geos, ground } = drawing;
    const { boundarySetbackM: metres } = template;
    this.template = template;
    this.exclusions = exclusionsOf(template);
    this.#drawing = drawing;
    this.#left = planeArea(ground) < this.#least ? null : metres > 0 ? geos.grown(ground, -metres, 'round') : ground;
    this.#dropSmall();
  }

  /** Square metres of the least piece. */
  get #least(): number {
    return this.template.minPieceAcres * ACRE_M2;
  }

  /** Ground is left that the next exclusion may take. */
  get isOpen(): boolean {
    return this.#left !== null;
  }

  #dropSmall(): void {
    if (piecesAbove(this.#left, this.#least) === null) this.#left = null;
  }

  /** Takes ground away. @param taken null for none. */
  take(taken: Geometry | null, partitions: Iterable<Partition>): void {
    for (const partition of partitions) this.partitions.add(partition);
    if (!taken || !this.#left) return;
    this.#left = this.#drawing.geos.minus(this.#left, taken);
    this.#dropSmall();
  }

  /** Notes that nothing is known of a layer: the first reason is told. */
  miss(status: 'absent' | 'failed', reason: string, retryable: boolean, partitions: Iterable<Partition>): void {
    for (const partition of partitions) this.partitions.add(partition);
    this.#gap ??= { status, reason, retryable, partitions: this.partitions };
  }

  /** The rest. It is nothing where the known layers take everything, whatever the unknown ones would take. */
  measure(): SitingMeasure {
    const { partitions } = this;
    const wide = wideEnough(this.#drawing.geos, this.#left, this.template.minWidthM);
    const pieces = piecesAbove(wide, this.#least);
    if (this.#gap && pieces !== null) return this.#gap;
    return { status: 'ok', area: planeArea(pieces), largest: largestPiece(pieces), partitions };
  }
}

const keyOf = ({ dataset, layer, where }: Exclusion): string => JSON.stringify([dataset, layer, where]);

/** Each layer of some templates with those that keep clear of it, in the order of the templates. */
function layersOf(remainders: readonly Remainder[]): { readonly of: Remainder; readonly exclusion: Exclusion }[][] {
  const all = remainders.flatMap(of => of.exclusions.map(exclusion => ({ of, exclusion })));
  return [...Map.groupBy(all, ({ exclusion }) => keyOf(exclusion)).values()];
}

/**
 * What templates leave of some ground: as buildableGround, without what each exclusion takes. A layer is read once for all of them, and
 * not at all once nothing is left.
 * @param outline valid polygons, lng,lat degrees. @param open makes the context of an area about them.
 * @throws Interrupted when nobody waits any more.
 */
export async function sitingMeasures(
  outline: Geometry,
  templates: readonly SitingTemplate[],
  open: (area: Area) => AreaContext,
): Promise<ReadonlyMap<SitingTemplate, SitingMeasure>> {
  const drawing = drawingOf(outline, await loadGeos());
  const remainders = templates.map(template => new Remainder(template, drawing));
  const isTooLarge = planeArea(drawing.ground) > MOST_M2;
  const contexts = new Map<number, AreaContext>();
  const about = async (metres: number) => {
    const reach = Math.max(LEAST_REACH_M, 2 ** Math.ceil(Math.log2(metres + 1)));
    const ctx = contexts.get(reach) ?? open(await areaOf(boxAbout(drawing.ground, reach, drawing)));
    contexts.set(reach, ctx);
    return ctx;
  };
  for (const wanting of isTooLarge ? [] : layersOf(remainders)) {
    const some = wanting.filter(({ of }) => of.isOpen);
    if (some.length === 0) continue;
    const [{ exclusion }] = some as [(typeof some)[number]];
    try {
      const ctx = await about(Math.max(...some.map(({ exclusion: { setback } }) => setback)));
      const shapes = await shapesAbout(ctx, exclusion, drawing);
      if ('reason' in shapes) {
        for (const { of } of some) of.miss('absent', shapes.reason, false, shapes.partitions);
        continue;
      }
      const near = await NearShapes.of(drawing, ctx, shapes.counting);
      const grown = new Map<number, Geometry | null>();
      for (const {
        of,
        exclusion: { setback },
      } of some) {
        if (!grown.has(setback)) grown.set(setback, await near.grown(setback, () => ctx.pause()));
        of.take(grown.get(setback)!, shapes.partitions);
      }
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      const { error: reason = 'failed', retryable = false } = failed(error);
      for (const { of } of some) of.miss('failed', reason, retryable, []);
    }
  }
  if (isTooLarge) for (const of of remainders) of.miss('absent', 'the parcel has more than 5,000 acres', false, []);
  return new Map(remainders.map(of => [of.template, of.measure()]));
}
