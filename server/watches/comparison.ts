import type { Catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { JobServices } from '../jobs/job-kind.ts';
import { chooseRelease, ReleaseChoice } from '../release/choice.ts';
import type { Account } from '../state/account.ts';
import { Bill } from '../state/usage/bill.ts';
import { matchesOf, parcelAnswers, polygonOf, siteAnswers, Unanswered, type WatchedPlaces } from './answers.ts';
import { differencesOf, searchDifferences } from './difference.ts';
import { eventOf, type Finding } from './event.ts';
import type { WatchEvent } from './schema.ts';
import type { WatchSubject } from './subject.ts';

/** Milliseconds that one question to one release may take. */
const QUESTION_MS = 240_000;
/** Vertices of a site at which files are looked for. */
const VERTICES = 24;

/** A watch to be compared. */
export interface WatchedQuestion {
  readonly id: string;
  readonly account: Account;
  readonly subject: WatchSubject;
  readonly fields: readonly string[];
}

/** Treatment of what cannot be compared now. */
interface Patience {
  readonly signal: AbortSignal;
  /** Whether what cannot be compared is told, instead of being tried again later. */
  readonly isLast: boolean;
}

/** Some vertices of a site. */
function verticesOf({ xy }: Geometry): Point[] {
  const step = 2 * Math.ceil(xy.length / 2 / VERTICES);
  const points: Point[] = [];
  for (let i = 0; i < xy.length; i += step) points.push({ lng: xy[i]!, lat: xy[i + 1]! });
  return points;
}

/** Names that filters compare and enrichment answers. */
function filteredNames({ catalog }: Ctx, filters: readonly unknown[]): string[] {
  const { fields } = enrichCatalogOf(catalog);
  const names = filters.map(filter => String((filter as { readonly field?: unknown } | null)?.field));
  return [...new Set(names)].filter(name => fields.has(name));
}

/** The names of a watch that this build answers, and those that an earlier one had. */
function namesOf(catalog: Catalog, subject: WatchSubject, names: readonly string[]) {
  const answerable = subject.of === 'site' ? catalog.fields : enrichCatalogOf(catalog).fields;
  return { fields: names.filter(name => answerable.has(name)), gone: names.filter(name => !answerable.has(name)) };
}

/** Whether an answer failed in a way that a later try may mend. */
const isPassing = (places: WatchedPlaces): boolean =>
  [...places.values()].some(({ answers }) =>
    Object.values(answers).some(({ retryable, area }) => retryable || area?.retryable),
  );

async function searchFinding(
  at: readonly [Ctx, Ctx],
  subject: Extract<WatchSubject, { of: 'search' }>,
  names: readonly string[],
  isLast: boolean,
): Promise<{ readonly places: readonly [WatchedPlaces, WatchedPlaces]; readonly finding: Finding }> {
  const [before, after] = [await matchesOf(at[0], subject), await matchesOf(at[1], subject)];
  const filtered = filteredNames(at[0], subject.filters);
  const fields = [...new Set([...names, ...filtered])];
  const nothing = (gap: string) => ({
    places: [new Map(), new Map()] as const,
    finding: { differences: [], gaps: [gap], fields },
  });
  if (before.tooMany || after.tooMany)
    return nothing('More parcels pass the filters than a watch may have: which entered and left is not told.');
  if (after.unread && !before.unread) {
    const gap =
      'Not all parcels that the search is about could be read in this release: which entered and left is not told.';
    if (!isLast) throw new Unanswered(gap);
    return nothing(gap);
  }
  const counties = new Map([...before.counties, ...after.counties]);
  const parcels = [...counties].map(([id, county]) => ({ id, county }));
  const questioned = enrichCatalogOf(at[0].catalog).names.filter(name => fields.includes(name));
  const question = { parcels, limits: subject.limits };
  const places = [
    await parcelAnswers(at[0], question, questioned),
    await parcelAnswers(at[1], question, questioned),
  ] as const;
  const passing = { before: before.counties, after: after.counties };
  const differences = searchDifferences([...counties.keys()], passing, places, names, filtered);
  return { places, finding: { differences, gaps: [], fields } };
}

async function findingOf(
  at: readonly [Ctx, Ctx],
  subject: WatchSubject,
  names: readonly string[],
  isLast: boolean,
): Promise<{ readonly places: readonly [WatchedPlaces, WatchedPlaces]; readonly finding: Finding }> {
  if (subject.of === 'search') return searchFinding(at, subject, names, isLast);
  const [before, after] =
    subject.of === 'site'
      ? [await siteAnswers(at[0], subject, names), await siteAnswers(at[1], subject, names)]
      : [await parcelAnswers(at[0], subject, names), await parcelAnswers(at[1], subject, names)];
  const ids = subject.of === 'site' ? [subject.siteId] : subject.parcels.map(({ id }) => id);
  const differences = differencesOf(ids, before, after, names);
  return { places: [before, after], finding: { differences, gaps: [], fields: names } };
}

/**
 * Asks what is watched in two releases, and says what differs.
 * @param from the release that it was compared with before. @param to the one that was published.
 * @returns null where nothing differs.
 * @throws Unanswered where another try may help; EngineBusy, SiteUnscreened; AbortError.
 */
export async function compareWatch(
  services: JobServices,
  { id, account, subject, fields: named }: WatchedQuestion,
  [from, to]: readonly [from: string, to: string],
  { signal, isLast }: Patience,
): Promise<WatchEvent | null> {
  const { engine, clock, catalog } = services;
  const { fields, gone } = namesOf(catalog, subject, named);
  const gaps = gone.map(name => `This service answers ${name} no more: it is not compared.`);
  const kept = engine.keptReleases();
  let since = from;
  if (!kept.includes(from)) {
    // Another server may still keep it.
    if (!isLast) throw new Unanswered(`release ${from} is not kept here`);
    since = kept[0] ?? to;
    gaps.push(`Release ${from} is not kept any more: what changed between it and ${since} is not told.`);
  }
  const contextAt = (release: string): Ctx => {
    const ctx: Ctx = {
      ...services,
      ...{ account, credential: null, signal, requestId: id, bill: new Bill() },
      // Each question has its time from when it is asked.
      get deadline() {
        return clock.now() + QUESTION_MS;
      },
      // Without corrections on both sides: what is corrected would differ from itself after each publication.
      release: new ReleaseChoice(engine, true),
    };
    chooseRelease(ctx, { release });
    return ctx;
  };
  const at = [contextAt(since), contextAt(to)] as const;
  const outline = subject.of === 'site' ? verticesOf(polygonOf(subject)) : [];
  if (since === to) return eventOf(at, id, subject, from, { differences: [], gaps, fields });
  try {
    const { places, finding } = await findingOf(at, subject, fields, isLast);
    if (!isLast && places.some(isPassing)) throw new Unanswered('values could not be read now');
    return await eventOf(at, id, subject, from, { ...finding, gaps: [...gaps, ...finding.gaps] }, outline);
  } catch (error) {
    // A search that a release cannot be asked, because it lacks a column, does not become right by another attempt.
    if (!(error instanceof ServiceError) || error.retryable) throw error;
    const why = `It cannot be asked of both releases: ${error.message}`;
    return eventOf(at, id, subject, from, { differences: [], gaps: [...gaps, why], fields });
  }
}
