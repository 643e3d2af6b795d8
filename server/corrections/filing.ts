import { randomBytes } from 'node:crypto';
import { isOfParcel, isSame } from '../../query/evaluate/assurance/correction.ts';
import { accountOf, type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { webhookFault } from '../field-requests/callbacks/webhook.ts';
import { resolveLocator } from '../geocode/resolver.ts';
import { ShapeError } from '../http/shape.ts';
import { readLocator } from '../locator.ts';
import type { SearchServices } from '../search/operation.ts';
import type { CorrectionPlace } from '../state/corrections/row.ts';
import type { SafeClient } from '../upstream/safe-client.ts';
import { correctableField, correctedValue } from './correctable.ts';
import { presentAnswer } from './present-answer.ts';
import type { CorrectionAccepted, CorrectionBody } from './schema.ts';

/** Milliseconds that a filing may take. */
export const FILING_LIMIT_MS = 30_000;
/** Corrections of an account that may wait to be reviewed. */
const MOST_OPEN = 20;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Makes an id: 130 random bits, which nobody can guess. */
const newId = (): string => `cor_${Array.from(randomBytes(26), byte => LETTERS[byte & 31]).join('')}`;

/** The services that filings need beside those of every request. */
export interface CorrectionServices {
  /** Checks the target of webhooks. */
  readonly client: SafeClient;
  readonly search: SearchServices;
}

const busy = (error: unknown): never => {
  throw engineRefusal(error, () => new ServiceError('fetch_busy'));
};

const issue = (loc: readonly string[], input: unknown, msg: string, type: string): ShapeError =>
  new ShapeError([{ loc: ['body', ...loc], msg, type, input, ctx: {} }]);

/** The interior point of a parcel that is named. @throws ServiceError parcel_not_found, search_unavailable. */
async function parcelPlace(ctx: Ctx, search: SearchServices, parcelId: string): Promise<CorrectionPlace> {
  const { batch, maxCandidates, maxEvaluated, maxSquareKm } = search;
  const budget = { batch, maxCandidates, maxEvaluated, maxSquareKm };
  const request = { filters: [], outputs: [], countyByFips: false, budget, parcelId };
  const answer = await ctx.engine.parcelPlace(request, termsOf(ctx)).catch(busy);
  if ('uncounted' in answer) throw new ServiceError('search_unavailable', { reason: answer.uncounted });
  const point = 'place' in answer ? answer.place?.point : null;
  if (!point) throw new ServiceError('parcel_not_found');
  return { lat: point.lat, lng: point.lng, parcel_id: parcelId };
}

/**
 * Where a correction is: a parcel that is named, or that holds the place where the field is of the parcel; else the place.
 * @throws ServiceError invalid_locator, parcel_not_found, coord_out_of_bounds, those of an address.
 */
async function placeOf(ctx: Ctx, search: SearchServices, body: CorrectionBody): Promise<CorrectionPlace> {
  const { parcel_id: parcelId, lat, lng, address } = body;
  if (parcelId !== undefined) {
    if (lat !== undefined || lng !== undefined || address !== undefined)
      throw new ServiceError('invalid_locator', { found: '`parcel_id` was sent beside another' });
    return parcelPlace(ctx, search, parcelId);
  }
  const { point, rooftopAddress } = await resolveLocator(ctx, readLocator(body));
  if (!isOfParcel(ctx.catalog, body.field)) return { lat: point.lat, lng: point.lng, parcel_id: null };
  const verdict = await ctx.engine.matchParcel(point, rooftopAddress, termsOf(ctx)).catch(busy);
  if (verdict.status === 'unavailable') throw new ServiceError('search_unavailable', { reason: verdict.reason });
  if (verdict.status !== 'matched') throw new ServiceError('parcel_not_found');
  const at = verdict.parcel.analysisPoint ?? point;
  return { lat: at.lat, lng: at.lng, parcel_id: verdict.parcel.parcelId };
}

/**
 * POST /v1/corrections: says that a value is wrong, and what it is. Nothing of it is answered to anybody before it is reviewed. Free.
 * @param body already of the right shape.
 * @throws ServiceError fields_unknown, corrections_limited, whatever placeOf throws, fetch_busy; ShapeError for a field or a value that
 * cannot be, for what is answered already, and for a webhook that may not be called; AbortError when the client has gone. Nothing
 * was filed then.
 */
export async function fileCorrection(
  ctx: Ctx,
  { client, search }: CorrectionServices,
  body: CorrectionBody,
): Promise<CorrectionAccepted> {
  const field = correctableField(ctx.catalog, body.field);
  const value = correctedValue(field, body.value);
  const { id: accountId, email } = accountOf(ctx);
  const limited = () => new ServiceError('corrections_limited', { limit: MOST_OPEN });
  // Asked before anything is looked up, or the refusal would say for nothing whether a guess is right; and once more as it is filed.
  if ((await ctx.state.corrections.open(accountId)) >= MOST_OPEN) throw limited();
  const fault = await webhookFault(client, body.callback?.webhook_url);
  if (fault) throw issue(fault.loc, body.callback?.webhook_url, fault.msg, fault.type);
  const place = await placeOf(ctx, search, body);
  const said = await presentAnswer(ctx, field.name, place, termsOf(ctx)).catch(busy);
  if (said.status === 'ok' && isSame(said.value, value))
    throw issue(['value'], value, 'Input should differ from what is answered there now', 'value_unchanged');
  const id = newId();
  const { url, note } = body.evidence;
  const filed = await ctx.state.corrections.file(
    {
      id,
      accountId,
      field: field.name,
      value,
      place,
      evidence: { ...(url === undefined ? {} : { url }), note },
      said: { ...said, release: ctx.engine.status().release },
      callback: body.callback ?? null,
      createdAt: ctx.clock.now(),
    },
    MOST_OPEN,
    email,
  );
  if (filed === 'limited') throw limited();
  return { correction_id: id, status: 'received', poll: `/v1/corrections/${id}` };
}
