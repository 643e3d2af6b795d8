import type { Field } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import { excludedGround } from '../buildable/excluded-ground.ts';
import { planeArea } from '../buildable/plane-area.ts';
import { roundFraction } from '../evaluate/published.ts';
import type { Footprint } from './footprint.ts';
import type { FloodShare, FloodZones } from './request.ts';
import { citationList, fact, failure, gap, standingOf } from './standing.ts';

/** Square metres that two polygons side by side share by rounding. */
const SLIVER_M2 = 0.01;
/** Zones of waves, whose rules are the strictest: a structure that touches one is rated by it (FEMA, NFIP Flood Insurance Manual). */
const WAVES = ['VE', 'V'];

/**
 * How much of a footprint lies in the polygons that a field asks for. A structure is inside where any part of it is, as lenders read the
 * map; where the lines of the map decide that only within their stated accuracy, it is not decidable.
 * @throws Interrupted when nobody waits any more.
 */
export async function floodShare({ drawing, about }: Footprint, { expression }: Field): Promise<FloodShare> {
  const { dataset, layer } = expression.sources[0]!;
  const nothing = { share: null, least: null, most: null, verdict: null };
  try {
    const exclusion = { name: dataset, dataset, layer, where: expression.where, setback: 0 };
    const ground = await about.within(() => excludedGround(about.ctx, exclusion, drawing));
    const citations = citationList(ground.partitions);
    if ('reason' in ground) return { ...gap(ground.reason, citations, dataset), ...nothing };
    const whole = planeArea(drawing.ground);
    const within = (part: Geometry | null) => (part ? planeArea(drawing.geos.common(drawing.ground, part)) : 0);
    const [drawn, sure, possible] = [within(ground.drawn), within(ground.sure), within(ground.possible)];
    const shareOf = (area: number) => roundFraction(Math.min(1, area / whole));
    const bounds = ground.isAssessed ? { least: shareOf(sure), most: shareOf(possible) } : { least: null, most: null };
    const isSure = ground.isAssessed && sure > SLIVER_M2;
    const verdict = isSure ? 'inside' : possible > SLIVER_M2 ? 'not_decidable' : 'outside';
    return { ...fact(citations, dataset), share: shareOf(drawn), ...bounds, verdict };
  } catch (error) {
    return { ...failure(error, dataset), ...nothing };
  }
}

const isOne = (of: unknown, zone: string): boolean => Array.isArray(of) && of.includes(zone);

/** The zone that decides: of waves before others with a flood hazard, of those the one with the largest share, else the largest. */
function deciding(shares: FloodZones['shares'], { verdict }: Field): string | null {
  const first = (test: (zone: string) => boolean) => shares.find(({ zone }) => test(zone))?.zone;
  const of = first(zone => WAVES.includes(zone)) ?? first(zone => isOne(verdict?.yes, zone));
  return of ?? shares[0]?.zone ?? null;
}

/** The flood zones under a footprint. @throws Interrupted when nobody waits any more. */
export async function floodZones({ on }: Footprint, field: Field): Promise<FloodZones> {
  const { dataset } = field.expression.sources[0]!;
  const finding = await on.answer(field);
  if (finding?.value?.kind !== 'shares') {
    const none = { status: 'absent', notes: ['the flood map says nothing here'], citations: [] } as const;
    return { ...standingOf(finding ?? none, dataset), zone: null, shares: [] };
  }
  const shares = finding.value.shares.map(({ value, share }) => ({ zone: String(value), share }));
  if (shares.length === 0)
    return { ...gap('no flood zone is mapped under it', finding.citations, dataset), zone: null, shares };
  return { ...standingOf(finding, dataset), zone: deciding(shares, field), shares };
}

/** Whether a part of it lies in a zone that nobody has studied: there no map line says that it is outside. */
export const isUnstudied = ({ shares }: FloodZones, { verdict }: Field): boolean =>
  shares.some(({ zone }) => isOne(verdict?.open, zone));
