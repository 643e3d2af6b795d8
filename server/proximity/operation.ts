import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Gate } from '../lease/gate.ts';
import { untilDeadline } from './deadline.ts';
import { isochrone } from './isochrone.ts';
import { laborShed } from './labor-shed.ts';
import { matrix } from './matrix.ts';
import { Meter } from './meter.ts';
import { nearest } from './nearest.ts';
import type { Routing } from './provider/provider.ts';
import { readBody, readOperation } from './reading.ts';
import type { BodyOf, Operation } from './schema.ts';
import { screen } from './screen.ts';

/** The services that proximity needs beside those of every request. */
export interface ProximityServices {
  readonly routing: Routing;
  /** Limits how many requests run at once. */
  readonly gate: Gate;
}

type Work<K extends Operation> = (ctx: Ctx, routing: Routing, meter: Meter, body: BodyOf<K>) => Promise<object>;

const WORK: { readonly [K in Operation]: Work<K> } = { matrix, nearest, screen, labor_shed: laborShed, isochrone };

/** An answer: the result of the operation and its number of driving calculations. */
type ProximityAnswer = {
  readonly operation: Operation;
  readonly calculations: number;
} & Readonly<Record<string, unknown>>;

/**
 * POST /v1/proximity/{operation}: drive times, nearest places, screens, labor sheds, isochrones. It charges afterwards
 * for the driving calculations that were made. Refusals and failures are free, except for the one code below.
 * @param body without the key `operation`; this function checks it.
 * @throws ServiceError invalid_request, unknown_set, proximity_busy, unresolvable_input, shed_too_large,
 * proximity_request_exceeds_budget_share (charged), credits_exhausted, proximity_data_unavailable,
 * proximity_unconfigured, proximity_budget_exhausted, upstream_transient, upstream_auth, upstream_error,
 * proximity_deadline_exceeded, geocode_*; AbortError when the client has gone.
 */
export async function proximityOf<K extends Operation>(
  ctx: Ctx,
  { routing, gate }: ProximityServices,
  operation: K,
  body: unknown,
): Promise<ProximityAnswer> {
  const request = readBody(operation, body);
  routing.requireReady();
  const visit = await gate.enter(accountOf(ctx).id, ctx.signal);
  if (!visit) throw new ServiceError('proximity_busy');
  const meter = new Meter(ctx);
  try {
    const answer = await untilDeadline(ctx, timed => WORK[operation](timed, routing, meter, request));
    await meter.charge();
    return { operation, ...answer, calculations: meter.calculations };
  } catch (error) {
    await meter.release();
    throw error;
  } finally {
    visit.release();
  }
}

/** POST /v1/proximity: the same, for the operation that the body names. @throws as proximityOf. */
export async function proximity(ctx: Ctx, services: ProximityServices, body: unknown): Promise<ProximityAnswer> {
  const { operation, rest } = readOperation(body);
  return proximityOf(ctx, services, operation, rest);
}
