import { randomUUID } from 'node:crypto';
import { accountOf, type Ctx } from '../context.ts';
import { reserveCredits, settleCredits } from '../credits/charge.ts';
import { creditsOf } from '../credits/price.ts';
import { ServiceError } from '../errors/registry.ts';
import { fetchAt, LOCATION_LIMIT_MS } from '../fetch/location.ts';
import type { FetchResult } from '../fetch/schema.ts';
import { openLocator, type Place } from '../geocode/resolver.ts';
import { isStreetGrade } from '../geocoder/street-grade.ts';
import type { Gate } from '../lease/gate.ts';
import { readLocator } from '../locator.ts';
import type { Reservation } from '../state/ledger.ts';
import { composed } from './answer.ts';
import {
  type AskRecord,
  type Backend,
  type Evidence,
  MAX_PLANNED,
  noTokens,
  type Plan,
  type Stage,
} from './backend.ts';
import { answerable } from './plan/answerable.ts';
import { namesOfThings, standInsWanted, withStandIns } from './plan/stand-ins.ts';
import { judged, NAMES_AROUND } from './reading/judgement.ts';
import type { AskBody, AskResult } from './schema.ts';
import { within } from './stage.ts';
import { type ParcelArea, parcelAreaAt, standingOf } from './standing.ts';
import { FOLLOW_UPS, traceOf } from './trace.ts';
import { FOLLOW, READ } from './works.ts';

/** Milliseconds for a whole question (a limit of the interface). */
export const ASK_LIMIT_MS = 110_000;
const PLANNER_LIMIT_MS = 20_000;
export const WRITER_LIMIT_MS = 30_000;
const CREDITS = creditsOf('POST /v1/ask');

const STREET_CAVEAT =
  'Note that the location was estimated from the street address, not matched to a building: what depends on the exact spot may be that of a place nearby.';

/** Fields of questions that may follow, looked up together. */
const FOLLOWED = 4;

/** Fields that a place without an address is called by. */
const NAMES_OF_PLACE = ['place_name', 'county_name', 'state_name'] as const;

const NOTHING_PLANNED: Plan = { fields: [], preset: null, parts: [] };

/** The services for questions, beside those of every request. */
export interface AskServices {
  readonly backend: Backend;
  /** Limits how many questions run at once. */
  readonly gate: Gate;
  /** Milliseconds, when they differ from the defaults. */
  readonly limits?: Partial<Readonly<Record<'whole' | 'planner' | 'writer', number>>>;
}

const hasValue = ({ fields }: FetchResult, name: string): boolean =>
  (fields[name] as AskRecord | undefined)?.status === 'ok';

/** The records of a fetch with the titles and meanings of their fields, in the order of the plan, each distance with its name. */
function evidenceOf(ctx: Ctx, { fields }: Plan, result: FetchResult, area: ParcelArea | null): Evidence[] {
  const names = namesOfThings(ctx.catalog, fields).filter(name => hasValue(result, name));
  return [...fields, ...names].map(name => {
    const { title, description, hint } = ctx.catalog.fields.get(name)!;
    const record = result.fields[name] as AskRecord;
    const standing = area && standingOf(record.value, name, area);
    return { field: name, title, description, hint, record, area: [], ...(standing ? { standing } : {}) };
  });
}

/** Questions that may follow and whose fields have a value at the place, best first. */
async function followUpsAt(ctx: Ctx, question: string, plan: Plan, place: Place, stage: Stage): Promise<string[]> {
  const availability = ctx.engine.availability();
  const installed = [...ctx.catalog.fields.keys()].filter(name => availability.lackOf(name) === null);
  const task = { question, planned: plan.fields, installed };
  const all = await ctx.language.have(FOLLOW, task, stage);
  const answered: string[] = [];
  for (let i = 0; i < all.length && answered.length < FOLLOW_UPS; i += FOLLOWED) {
    const some = all.slice(i, i + FOLLOWED);
    const names = some.map(({ field }) => field);
    const { fields } = await fetchAt(ctx, names, place);
    answered.push(...some.flatMap(one => ((fields[one.field] as AskRecord).status === 'ok' ? [one.question] : [])));
  }
  return answered;
}

/** The names of what contains a place, and its address; empty where the release knows none. */
async function namesAround(ctx: Ctx, place: Place): Promise<string[]> {
  const { fields } = await fetchAt(ctx, NAMES_AROUND, place);
  const names = NAMES_AROUND.flatMap(name => {
    const { value } = fields[name] as AskRecord;
    return typeof value === 'string' ? [value] : [];
  });
  const address = place.geocode?.normalized_address ?? null;
  return address === null ? names : [...names, address];
}

/** What a place is called: by its address, else by the city or county that contains it, else by its coordinates. */
function placeName({ geocode, point }: Place, { fields }: FetchResult): string {
  if (geocode?.normalized_address) return geocode.normalized_address;
  const [city, county, state] = NAMES_OF_PLACE.map(name => {
    const value = (fields[name] as AskRecord | undefined)?.value;
    return typeof value === 'string' ? value.replace(/ (?:city|town|village|borough|CDP)$/, '') : null;
  });
  const nearest = city ?? county;
  if (nearest && state) return `${nearest}, ${state}`;
  return nearest ?? `the point ${point.lat}, ${point.lng}`;
}

/**
 * Releases all credits; further calls change nothing. If that fails, the reservation expires by itself, and the caller
 * still gets the error of the answer.
 */
export async function giveBack(ctx: Ctx, reservation: Reservation): Promise<void> {
  await settleCredits(ctx, reservation, 0).catch((error: unknown) => {
    ctx.log.error({ err: error }, 'credits of a failed answer could not be given back yet');
  });
}

/** Replaces the overload error of a called operation by that of ask. */
const inItsWords = (error: unknown): unknown =>
  error instanceof ServiceError && error.code === 'fetch_busy' ? new ServiceError('ask_busy') : error;

/** A question that was checked, admitted and paid for. It must be answered exactly once. */
interface OpenQuestion {
  /**
   * Plans, fetches, writes and checks. A failure releases all credits.
   * @param told receives pieces of the answer as soon as they are final.
   * @throws ServiceError of the ask family and those of an address; AbortError when the client has gone.
   */
  answer(told: (text: string) => void): Promise<AskResult>;
}

/**
 * Checks a question: locator, place, then the gate, then credits.
 * @throws ServiceError invalid_locator, coord_out_of_bounds, address_form_unsupported, ask_busy, credits_exhausted.
 */
export async function openQuestion(
  ctx: Ctx,
  { backend, gate, limits }: AskServices,
  body: AskBody,
): Promise<OpenQuestion> {
  const open = await openLocator(ctx, readLocator(body));
  const visit = await gate.enter(accountOf(ctx).id, ctx.signal);
  if (!visit) throw new ServiceError('ask_busy');
  const reservation = await reserveCredits(ctx, randomUUID(), 'ask', [CREDITS]).catch((error: unknown) => {
    visit.release();
    throw error;
  });
  const { question } = body;
  const usage = noTokens();
  const account = ctx.account?.id;
  /** A question for which nothing is looked up costs nothing. */
  let looksUp = true;
  const work = async (ctx: Ctx, told: (text: string) => void): Promise<AskResult> => {
    const planning = <T>(read: (stage: Stage) => Promise<T>) =>
      within(ctx, limits?.planner ?? PLANNER_LIMIT_MS, signal => read({ signal, account, usage }));
    const [place, reading] = await Promise.all([
      open.resolve(),
      planning(stage => ctx.language.have(READ, question, stage)),
    ]);
    const namesPlace = reading.segments.some(({ places }) => places.length > 0);
    const names = namesPlace ? await namesAround(ctx, place) : [];
    const { rest, parts, caveats } = judged(question, reading, { names, point: place.point });
    const availability = ctx.engine.availability();
    const isAble = (name: string) => availability.lackOf(name) === null;
    const lacking = [...ctx.catalog.fields.keys()].filter(name => !isAble(name));
    const plan = rest === null ? NOTHING_PLANNED : await planning(stage => backend.plan(rest, { ...stage, lacking }));
    const cut = { ...plan, fields: plan.fields.slice(0, MAX_PLANNED), parts: [...plan.parts, ...parts] };
    const planned = answerable(ctx.catalog, cut, availability);
    looksUp = planned.fields.length > 0;
    const deadline = Math.min(ctx.deadline, ctx.clock.now() + LOCATION_LIMIT_MS);
    const areaWanted = planned.fields.some(name => /^(?:number|integer)$/.test(ctx.catalog.fields.get(name)!.type));
    const naming =
      looksUp && place.geocode === null
        ? NAMES_OF_PLACE.filter(name => ctx.catalog.fields.has(name) && isAble(name))
        : [];
    const things = namesOfThings(ctx.catalog, planned.fields)
      .filter(isAble)
      .slice(0, MAX_PLANNED - planned.fields.length);
    const [first, area] = await Promise.all([
      fetchAt({ ...ctx, deadline }, [...new Set([...planned.fields, ...things, ...naming])], place),
      areaWanted ? parcelAreaAt({ ...ctx, deadline }, place) : null,
    ]);
    const standIns = standInsWanted(planned, name => hasValue(first, name)).filter(isAble);
    const more = standIns.length === 0 ? null : await fetchAt({ ...ctx, deadline }, standIns, place);
    const fetched = { ...first, fields: { ...first.fields, ...more?.fields } };
    const complete = withStandIns(planned, name => hasValue(fetched, name));
    const evidence = evidenceOf(ctx, complete, fetched, area);
    const named = placeName(place, fetched);
    const task = { question: rest ?? question, plan: complete, evidence, about: 'the place', place: named };
    if (isStreetGrade(place.geocode)) caveats.push(STREET_CAVEAT);
    const { sentences, dropped, ...answered } = await within(ctx, limits?.writer ?? WRITER_LIMIT_MS, signal =>
      composed({ backend, language: ctx.language }, task, { signal, account, usage }, told, caveats),
    );
    const tracing = async () => {
      const followUps = await planning(stage => followUpsAt({ ...ctx, deadline }, question, complete, place, stage));
      return traceOf({ backend: backend.name, plan: complete, evidence, usage, followUps }, { sentences, dropped });
    };
    return {
      lat: fetched.lat,
      lng: fetched.lng,
      question,
      answered_at: new Date(ctx.clock.now()).toISOString(),
      ...answered,
      resolved_location: fetched.resolved_location,
      ...(place.geocode === null ? {} : { geocode: place.geocode }),
      ...(body.include_trace === true ? { trace: await tracing() } : {}),
    };
  };
  return {
    async answer(told) {
      try {
        const result = await within(ctx, limits?.whole ?? ASK_LIMIT_MS, signal => work({ ...ctx, signal }, told)).catch(
          async (error: unknown) => {
            await giveBack(ctx, reservation);
            throw inItsWords(error);
          },
        );
        await settleCredits(ctx, reservation, looksUp ? CREDITS : 0);
        return result;
      } finally {
        visit.release();
      }
    },
  };
}

/**
 * POST /v1/ask: a question about one place, answered from records with citations.
 * @param body already of the right shape.
 * @throws ServiceError as openQuestion and OpenQuestion.answer.
 */
export async function askPlace(ctx: Ctx, services: AskServices, body: AskBody): Promise<AskResult> {
  return (await openQuestion(ctx, services, body)).answer(() => {});
}
