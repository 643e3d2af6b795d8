import type { Point } from '../../query/evaluate/answer.ts';
import { type Ctx, termsOf } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import {
  entryOf,
  type Located,
  locateAll,
  refuseCanada,
  requirePoints,
  requireSome,
  type Unresolved,
  unresolvedOf,
} from './locator.ts';
import { pointsOf, spread } from './matrix.ts';
import type { Meter } from './meter.ts';
import { FAR_KM, MOST_OF_SET, type Reached, resultOf, soonest } from './nearest.ts';
import { ofList, ofSet, type SetAround } from './places.ts';
import type { Placed, Routing, RoutingSource } from './provider/provider.ts';
import type { BodyOf, Rule } from './schema.ts';

/** The result of one rule for one candidate. */
interface Verdict {
  /** Places that are near enough; null where it is not known. In a set, only as many as the rule needs are counted. */
  readonly count: number | null;
  readonly nearest: Reached | null;
  /** Why the count is not known. */
  readonly reason: string | null;
}

/** The results of one rule for all candidates, in their order; null for candidates that have no place on a road. */
interface Judged {
  readonly verdicts: readonly (Verdict | null)[];
  /** Roads of the candidates; null for a rule by straight distance. */
  readonly placed: readonly (Placed | null)[] | null;
  readonly cited: RoutingSource | null;
  readonly unresolved: readonly Unresolved[];
}

/** The inputs for checking a rule. */
interface Screening {
  readonly ctx: Ctx;
  readonly routing: Routing;
  readonly meter: Meter;
  readonly candidates: readonly Located[];
}

const isSet = (to: Rule['to']): to is string => typeof to === 'string';

/**
 * Runs work for each candidate: null for those without a point, the refusal for those that the data does not cover.
 * @throws the last refusal when the data covers none.
 */
async function ofEach<T>(
  candidates: readonly Located[],
  work: (point: Point) => Promise<T>,
): Promise<(T | ServiceError | null)[]> {
  const out: (T | ServiceError | null)[] = [];
  let refusal: ServiceError | null = null;
  for (const { point } of candidates) {
    const one = point
      ? await work(point).catch((error: unknown) => {
          if (!(error instanceof ServiceError) || error.code !== 'proximity_data_unavailable') throw error;
          refusal = error;
          return error;
        })
      : null;
    out.push(one);
  }
  if (refusal && out.every(one => one === null || one instanceof ServiceError)) throw refusal;
  return out;
}

const refused = ({ message }: ServiceError): Verdict => ({ count: null, nearest: null, reason: message });

/**
 * Counts the places of a set that are near enough.
 * @param reach metres in a straight line beyond which nothing is near enough.
 */
function verdictOf(
  count: number,
  nearest: Reached | null,
  rule: Rule,
  reach: number,
  doubt: SetAround['doubt'],
): Verdict {
  const doubted = doubt?.metres.filter(metres => metres <= reach).length ?? 0;
  if (count >= (rule.min_count ?? 1) || doubted === 0) return { count, nearest, reason: null };
  const reason = `Of places that may be near enough (${doubted}) it is not known whether they belong to the set: ${doubt!.reason}.`;
  return { count: null, nearest, reason };
}

const OUTSIDE: Placed = { problem: 'outside', regions: [] };

async function byDistance({ ctx, candidates }: Screening, rule: Rule, listed: readonly Located[]): Promise<Judged> {
  const within = 1000 * rule.within_km!;
  const verdicts = await ofEach(candidates, async (point): Promise<Verdict> => {
    const { candidates: near, doubt } = isSet(rule.to)
      ? await ofSet(ctx, rule.to, point, Math.max(1, rule.min_count ?? 1), 1000 * FAR_KM)
      : { candidates: ofList(listed, point, Number.POSITIVE_INFINITY), doubt: null };
    const nearest = near[0] ? { candidate: near[0], seconds: null, metres: null } : null;
    return verdictOf(near.filter(({ straight }) => straight <= within).length, nearest, rule, within, doubt);
  });
  return {
    verdicts: verdicts.map(one => (one instanceof ServiceError ? refused(one) : one)),
    placed: null,
    cited: null,
    unresolved: unresolvedOf(listed, []),
  };
}

/** Checks a rule with a list, by one table for all candidates. */
async function byTable(screening: Screening, rule: Rule, listed: readonly Located[]): Promise<Judged> {
  const { ctx, routing, meter, candidates } = screening;
  const [from, to] = [pointsOf(candidates), pointsOf(listed)];
  await meter.take(from.length * to.length);
  const table = await routing.table(from, to, termsOf(ctx));
  const placed = spread(candidates, table.origins);
  const legs = spread(candidates, table.legs);
  const verdicts = candidates.map(({ point }, i): Verdict | null => {
    if (!point || !placed[i] || 'problem' in placed[i]) return null;
    const row = spread(listed, legs[i]!);
    const reached = ofList(listed, point, Number.POSITIVE_INFINITY).flatMap((candidate): Reached[] => {
      const leg = row[candidate.index!];
      return leg ? [{ candidate, seconds: leg.seconds, metres: leg.metres }] : [];
    });
    reached.sort((a, b) => a.seconds! - b.seconds!);
    const count = reached.filter(({ seconds }) => seconds! <= rule.within_minutes! * 60).length;
    return { count, nearest: reached[0] ?? null, reason: null };
  });
  const unresolved = unresolvedOf(listed, spread(listed, table.destinations));
  return { verdicts, placed, cited: table.cited, unresolved };
}

/** Checks a rule with a set, by the nearest of its places around each candidate. */
async function bySet(screening: Screening, rule: Rule, set: string): Promise<Judged> {
  const { ctx, routing, meter, candidates } = screening;
  const count = rule.min_count ?? 1;
  const limit = rule.within_minutes! * 60;
  const drives = await ofEach(candidates, async point => {
    const around = await ofSet(ctx, set, point, MOST_OF_SET, 1000 * FAR_KM);
    const driven = await soonest(ctx, routing, meter, point, around.candidates, count, Number.MAX_SAFE_INTEGER / 1e6);
    return { ...driven, doubt: around.doubt };
  });
  const verdicts = drives.map((driven): Verdict | null => {
    if (driven instanceof ServiceError) return refused(driven);
    if (!driven || 'problem' in driven.origin) return null;
    const { reached, doubt } = driven;
    const inTime = reached.filter(({ seconds }) => seconds! <= limit).length;
    return verdictOf(inTime, reached[0] ?? null, rule, (limit * routing.fastest) / 3.6, doubt);
  });
  const answered = drives.flatMap(driven => (driven === null || driven instanceof ServiceError ? [] : [driven]));
  const placed = drives.map(driven => (driven instanceof ServiceError ? OUTSIDE : (driven?.origin ?? null)));
  return { verdicts, placed, cited: answered[0]?.cited ?? null, unresolved: [] };
}

async function judged(screening: Screening, rule: Rule, number: number): Promise<Judged> {
  const listed = isSet(rule.to) ? [] : await locateAll(screening.ctx, `rules.${number}.to`, rule.to);
  refuseCanada('screen', listed);
  if (!isSet(rule.to)) requirePoints(`rules.${number}.to`, listed);
  if (rule.within_km !== undefined) return byDistance(screening, rule, listed);
  return isSet(rule.to) ? bySet(screening, rule, rule.to) : byTable(screening, rule, listed);
}

/** Finds the candidates that are near enough to what the rules name. */
export async function screen(ctx: Ctx, routing: Routing, meter: Meter, body: BodyOf<'screen'>) {
  const { rules, match = 'all' } = body;
  const candidates = await locateAll(ctx, 'candidates', body.candidates);
  refuseCanada('screen', candidates);
  requirePoints('candidates', candidates);
  const all: Judged[] = [];
  for (const [i, rule] of rules.entries()) all.push(await judged({ ctx, routing, meter, candidates }, rule, i));
  const placed = all.find(one => one.placed)?.placed ?? candidates.map(() => null);
  requireSome('candidates', candidates, placed);
  const cited = all.find(one => one.cited)?.cited ?? null;
  const results = candidates.map((candidate, i) => {
    const verdicts = rules.map((rule, r) => {
      const verdict = all[r]!.verdicts[i] ?? null;
      const driving = rule.within_minutes !== undefined;
      return {
        name: rule.name ?? null,
        passed: verdict && verdict.count !== null ? verdict.count >= (rule.min_count ?? 1) : null,
        count: verdict?.count ?? null,
        reason: verdict?.reason ?? null,
        nearest: verdict?.nearest ? resultOf(verdict.nearest) : null,
        distances: driving ? 'driving' : 'straight_line',
      };
    });
    const passes = verdicts.map(({ passed }) => passed);
    const decided = match === 'all' ? passes.includes(false) : passes.includes(true);
    const open = !decided && passes.includes(null);
    return {
      ...entryOf(candidate, placed[i] ?? null),
      // An unknown result neither passes nor fails, unless the other rules decide.
      passed: open ? null : match === 'all' ? !passes.includes(false) : passes.includes(true),
      rules: verdicts,
    };
  });
  return {
    match,
    results,
    unresolved: [...unresolvedOf(candidates, placed), ...all.flatMap(({ unresolved }) => unresolved)],
    distances: rules.every(rule => rule.within_km !== undefined)
      ? 'straight_line'
      : rules.every(rule => rule.within_minutes !== undefined)
        ? 'driving'
        : 'driving and straight_line',
    ...(cited ?? { provider: null, source: null, source_url: null, dataset_vintage: null, note: null }),
  };
}
