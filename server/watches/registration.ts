import { randomBytes } from 'node:crypto';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { accountOf, type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { withAreas } from '../exports/submission.ts';
import { fieldsUnknown } from '../fetch/selection.ts';
import { webhookFault } from '../field-requests/callbacks/webhook.ts';
import { jobOf } from '../jobs/job-kind.ts';
import { PLANS } from '../plans.ts';
import { invalidSearch } from '../search/operation.ts';
import { askSet } from '../sets/answer.ts';
import type { SetServices } from '../sets/area-source.ts';
import { sitePolygon } from '../sites/operation.ts';
import type { WatchAbout } from '../state/watches/records.ts';
import type { SafeClient } from '../upstream/safe-client.ts';
import { addressJob } from './address-job.ts';
import { SETTLING_MS } from './due.ts';
import { MOST_MATCHES } from './limits.ts';
import type { WatchAccepted, WatchBody } from './schema.ts';
import type { SetLimits, WatchSubject } from './subject.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const ONE_SUBJECT = 'Expected one of `site_id`, `parcel_ids` and `search`';

/** The services of a registration. */
export interface WatchServices {
  readonly sets: SetServices;
  /** Checks the target of webhooks. */
  readonly client: SafeClient;
}

/** Makes an id: 130 random bits, which nobody can guess. */
const newId = (): string => `watch_${Array.from(randomBytes(26), byte => LETTERS[byte & 31]).join('')}`;

const invalid = (loc: readonly (string | number)[], msg: string, type = 'value_error'): ServiceError =>
  new ServiceError('invalid_request', { count: '1 fault', first: msg }, { errors: [{ loc, msg, type }] });

const unavailable = (reason: string) => new ServiceError('search_unavailable', { reason });

/** The fields of a body, each once, in the order of the catalog that has them. @throws ServiceError fields_unknown. */
function fieldsOf({ catalog }: Ctx, { site_id, fields }: WatchBody): string[] {
  const accepted = site_id === undefined ? enrichCatalogOf(catalog).names : [...catalog.fields.keys()];
  const wanted = new Set(fields);
  const chosen = accepted.filter(name => wanted.has(name));
  const unknown = [...wanted].filter(name => !chosen.includes(name));
  if (unknown.length > 0) throw fieldsUnknown(catalog, unknown, accepted);
  return chosen;
}

const limitsOf = ({ batch, maxCandidates, maxEvaluated, maxVertices, maxSquareKm }: SetServices): SetLimits => ({
  ...{ batch, maxCandidates, maxEvaluated, maxVertices, maxSquareKm },
});

const siteSubject = async (ctx: Ctx, siteId: string): Promise<WatchSubject> => ({
  of: 'site',
  siteId,
  geometry: await sitePolygon(ctx, siteId),
});

async function parcelSubject(ctx: Ctx, sets: SetServices, ids: readonly string[]): Promise<WatchSubject> {
  const limits = limitsOf(sets);
  const unique = [...new Set(ids)];
  const parcels = unique.map(id => ({ id, county: null }));
  const request = { filters: [], outputs: [], countyByFips: false, budget: limits, parcels, names: [] };
  const answer = await ctx.engine.parcelAnswers(request, termsOf(ctx)).catch((error: unknown) => {
    throw engineRefusal(error, () => unavailable('all workers are busy and their queue is full'));
  });
  if (!('parcels' in answer)) throw unavailable('uncounted' in answer ? answer.uncounted : 'parcels cannot be read');
  const missing = unique.filter((_, i) => answer.parcels[i] === null);
  if (missing.length > 0) throw new ServiceError('parcel_not_found', {}, { parcel_ids: missing });
  return { of: 'parcels', parcels: unique.map((id, i) => ({ id, county: answer.parcels[i]!.county })), limits };
}

async function searchSubject(ctx: Ctx, sets: SetServices, filters: readonly unknown[]): Promise<WatchSubject> {
  let stored = filters;
  const { count } = await askSet(
    { ctx, services: sets, body: { filters } },
    (reader, read) => reader.readSet(read, [], () => ({ bound: MOST_MATCHES + 1 })),
    (engine, request, terms) => engine.count(request, terms),
    all => {
      stored = withAreas(filters, all);
    },
  );
  if (count > MOST_MATCHES) {
    const description = `More than ${MOST_MATCHES.toLocaleString('en-US')} parcels pass the filters.`;
    throw invalidSearch([{ path: 'search.filters', description, hint: 'Add a filter.' }], ctx.requestId);
  }
  return { of: 'search', filters: stored, limits: limitsOf(sets) };
}

function subjectOf(ctx: Ctx, sets: SetServices, { site_id, parcel_ids, search }: WatchBody): Promise<WatchSubject> {
  if (site_id !== undefined) return siteSubject(ctx, site_id);
  if (parcel_ids !== undefined) return parcelSubject(ctx, sets, parcel_ids);
  return searchSubject(ctx, sets, search!.filters);
}

const aboutOf = (subject: WatchSubject): WatchAbout => ({
  site_id: subject.of === 'site' ? subject.siteId : null,
  parcels: subject.of === 'parcels' ? subject.parcels.length : null,
  filters: subject.of === 'search' ? subject.filters.length : null,
});

/**
 * POST /v1/watches: from now on somebody is told when a publication changes the answer about a site, a list of parcels or a
 * search. Free.
 * @param body already of the right shape.
 * @throws ServiceError invalid_request, fields_unknown, watches_too_many, site_not_found, parcel_not_found, search_invalid_request,
 * search_unavailable, worker_stopped, and those of areas; AbortError when the client has gone.
 */
export async function registerWatch(
  ctx: Ctx,
  { sets, client }: WatchServices,
  body: WatchBody,
): Promise<WatchAccepted> {
  const { callback } = body;
  if ([body.site_id, body.parcel_ids, body.search].filter(one => one !== undefined).length !== 1)
    throw invalid(['body'], ONE_SUBJECT);
  const fields = fieldsOf(ctx, body);
  const fault = await webhookFault(client, callback.webhook_url);
  if (fault) throw invalid(fault.loc, fault.msg, fault.type);
  const { id: accountId, plan } = accountOf(ctx);
  const most = PLANS[plan].watches;
  const tooMany = () => new ServiceError('watches_too_many', { most, plan }, { max: most });
  // Asked before anything is looked up, and once more in the transaction that stores the watch.
  if ((await ctx.state.watches.count(accountId)) >= most) throw tooMany();
  const release = ctx.release.id;
  if (release === null) throw unavailable('nothing was published yet');
  const subject = await subjectOf(ctx, sets, body);
  const now = ctx.clock.now();
  const id = newId();
  const watch = {
    ...{ id, accountId, fields, callback, release, createdAt: now, seenAt: now - SETTLING_MS },
    about: aboutOf(subject),
    subject: JSON.stringify(subject),
  };
  const question = callback.email === undefined ? null : jobOf(addressJob, id, { watch_id: id }, accountId);
  if (!(await ctx.state.watches.add(watch, most, question))) throw tooMany();
  return { watch_id: id, status: 'active', created_at: new Date(now).toISOString() };
}
