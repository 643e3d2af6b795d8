import { randomUUID } from 'node:crypto';
import { freeMemory } from '../../query/format/freed-memory.ts';
import { accountOf, type Ctx, termsOf } from '../context.ts';
import { reserveCredits, settleCredits } from '../credits/charge.ts';
import { creditsOf } from '../credits/price.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { jobOf } from '../jobs/job-kind.ts';
import { waitingRefusal, withWaitingLimit } from '../jobs/waiting-limit.ts';
import { type ListServices, listPage } from '../listing/page.ts';
import type { ListQuery } from '../listing/schema.ts';
import type { SiteRow } from '../state/sites.ts';
import { invalidGeometry, readPolygon } from './polygon.ts';
import { presentDossier } from './present-dossier.ts';
import { MAX_ACRES, type SiteAccepted, type SiteBody, type SiteRecord } from './schema.ts';
import { screeningJob } from './screening-job.ts';

/** Milliseconds that a registration or a read may take. */
export const SITE_LIMIT_MS = 20_000;
/** Milliseconds that a site and its dossier are kept after the last registration. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const CREDITS = creditsOf('POST /v1/sites');
const SITE_ID = /^site_[0-9a-f]{32}$/;

/** Messages about a registered site, by its status. */
export const SITE_MESSAGES: Readonly<Record<SiteRow['status'], string>> = {
  building: 'The site is being screened: read GET /v1/sites/{site_id} until `status` is ready.',
  ready: 'The site is ready: ask about it with POST /v1/ask-site.',
  failed: 'The site could not be screened: register it again later.',
};

/** Brings the polygon of a request into its canonical form. @throws ServiceError invalid_geometry, sites_busy. */
async function siteOf(ctx: Ctx, body: SiteBody) {
  const path = 'site';
  const geometry = readPolygon(body.site, path);
  const reading = await ctx.engine
    .readSite({ geometry, path, maxAcres: MAX_ACRES }, termsOf(ctx))
    .catch((error: unknown) => {
      throw engineRefusal(error, () => new ServiceError('sites_busy'));
    })
    .finally(() => freeMemory(geometry.xy));
  if ('issue' in reading) throw invalidGeometry(reading.issue);
  if ('unread' in reading) throw new ServiceError('sites_busy');
  return reading;
}

/**
 * POST /v1/sites: registers a polygon for the account. Different spellings of one polygon are the same site, which is
 * screened once for all who register it. Every call with a valid polygon is charged.
 * @param body already of the right shape.
 * @throws ServiceError invalid_geometry, sites_busy, and rate_limited when too many sites of the account wait, at no charge;
 * credits_exhausted; AbortError when the client has gone before the charge.
 */
export async function registerSite(ctx: Ctx, body: SiteBody): Promise<SiteAccepted> {
  const { geoJson, digest, acres, extent } = await siteOf(ctx, body);
  const reservation = await reserveCredits(ctx, randomUUID(), 'sites', [CREDITS]);
  const now = ctx.clock.now();
  const id = `site_${digest.slice(0, 32)}`;
  const site = await ctx.state.sites
    .register(
      {
        id,
        accountId: accountOf(ctx).id,
        geometry: geoJson,
        acres,
        extent,
        release: ctx.engine.status().release ?? '',
        now,
        expiresAt: now + KEPT_MS,
      },
      withWaitingLimit(ctx, jobOf(screeningJob, id, { site_id: id }, accountOf(ctx).id)),
    )
    .catch(async (error: unknown) => {
      await settleCredits(ctx, reservation, 0);
      throw waitingRefusal(error, 'sites of this account wait to be screened');
    })
    .finally(() => freeMemory(geoJson));
  await settleCredits(ctx, reservation, CREDITS);
  return { site_id: site.id, status: site.status, message: SITE_MESSAGES[site.status] };
}

const recordOf = (site: SiteRow): SiteRecord => ({
  site_id: site.id,
  status: site.status,
  site_acres: Math.round(site.acres * 100) / 100,
  site_extent: [...site.extent],
  built_at: site.builtAt === null ? null : new Date(site.builtAt).toISOString(),
});

/**
 * GET /v1/sites/{site_id}. Free.
 * @throws ServiceError site_not_found, also for a site that only others registered.
 */
export async function readSiteRecord(ctx: Ctx, siteId: string): Promise<SiteRecord> {
  const site = SITE_ID.test(siteId) ? await ctx.state.sites.site(accountOf(ctx).id, siteId, ctx.clock.now()) : null;
  if (!site) throw new ServiceError('site_not_found');
  return recordOf(site);
}

/** GET /v1/sites: the account's sites, the last registered first. Free. @throws ServiceError list_cursor_invalid. */
export async function listSites(
  ctx: Ctx,
  services: ListServices,
  query: ListQuery,
): Promise<{ readonly sites: readonly SiteRecord[]; readonly next_cursor: string | null }> {
  const { rows, next_cursor } = await listPage(ctx, services, 'sites', query, async (account, part) => {
    const sites = await ctx.state.sites.list(account, part, ctx.clock.now());
    return sites.map(site => ({ ...site, createdAt: site.expiresAt }));
  });
  return { sites: rows.map(recordOf), next_cursor };
}

/**
 * DELETE /v1/sites/{site_id}: the account has the site no more; its dossier stays while others have it. Free.
 * @throws ServiceError site_not_found, also for a site that only others registered.
 */
export async function forgetSite(ctx: Ctx, siteId: string): Promise<void> {
  const { id } = accountOf(ctx);
  if (!SITE_ID.test(siteId) || !(await ctx.state.sites.forget(id, siteId, ctx.clock.now())))
    throw new ServiceError('site_not_found');
}

/** What was found about a site. */
interface FoundSite {
  readonly status: SiteRow['status'];
  readonly error: string | null;
  /** JSON of its dossier and of its polygon: null unless the site is ready. */
  readonly dossier: string | null;
  readonly geometry: string | null;
}

/** What is stored of a site. @throws ServiceError site_not_found, also for a site that only others registered. */
async function storedSite(ctx: Ctx, siteId: string): Promise<FoundSite> {
  const now = ctx.clock.now();
  const accountId = accountOf(ctx).id;
  const site = SITE_ID.test(siteId) ? await ctx.state.sites.site(accountId, siteId, now) : null;
  if (!site) throw new ServiceError('site_not_found');
  const { status, error } = site;
  const texts = status === 'ready' ? await ctx.state.sites.texts(accountId, siteId, now) : null;
  return { status, error, dossier: texts?.dossier ?? null, geometry: texts?.geometry ?? null };
}

/**
 * Reads what was found about a site, for questions about it and for who reads all of it, with what was corrected and withheld since.
 * @throws ServiceError site_not_found, also for a site that only others registered; sites_busy.
 */
export async function readDossier(ctx: Ctx, siteId: string): Promise<FoundSite> {
  const stored = await storedSite(ctx, siteId);
  if (stored.dossier === null) return stored;
  const dossier = await presentDossier(ctx, stored.dossier).catch((error: unknown) => {
    throw engineRefusal(error, () => new ServiceError('sites_busy'));
  });
  return { ...stored, dossier };
}

/** GeoJSON text of the polygon of a site, screened or not. @throws ServiceError site_not_found, as readDossier. */
export async function sitePolygon(ctx: Ctx, siteId: string): Promise<string> {
  const { id } = accountOf(ctx);
  const polygon = SITE_ID.test(siteId) ? await ctx.state.sites.polygon(id, siteId, ctx.clock.now()) : null;
  if (polygon === null) throw new ServiceError('site_not_found');
  return polygon;
}

/** GeoJSON text of the polygon of a screened site. @throws ServiceError site_not_found, as readDossier; site_not_ready. */
export async function siteShape(ctx: Ctx, siteId: string): Promise<string | null> {
  const { status, geometry } = await storedSite(ctx, siteId);
  if (status !== 'ready') throw new ServiceError('site_not_ready');
  return geometry;
}
