import { type Kysely, sql } from 'kysely';
import type { Effect, JobQueue, NewJob } from './jobs/queue.ts';
import type { ListPart } from './lists/list-place.ts';
import { packed, unpacked } from './packed-text.ts';
import type { Tables } from './tables.ts';
import { transact } from './transaction.ts';

/** A site as its readers see it. */
export interface SiteRow {
  readonly id: string;
  readonly status: 'building' | 'ready' | 'failed';
  readonly acres: number;
  /** West, south, east, north in degrees. */
  readonly extent: readonly [number, number, number, number];
  /** Epoch milliseconds; null before it was built. */
  readonly builtAt: number | null;
  /** Why it failed; null otherwise. */
  readonly error: string | null;
}

/** A new site. The geometry is JSON text, or its bytes in UTF-8. */
interface SiteRegistration {
  readonly id: string;
  readonly accountId: string;
  readonly geometry: string | Uint8Array;
  readonly acres: number;
  readonly extent: SiteRow['extent'];
  /** Release to screen it in. */
  readonly release: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly expiresAt: number;
}

/** Input of a screening. The geometry is JSON text. */
interface ScreeningWork {
  readonly geometry: string;
  readonly acres: number;
  readonly extent: SiteRow['extent'];
}

/** Sites, their registrations and their dossiers. All accounts that registered a site share its dossier. */
export interface SiteRecords {
  /**
   * Registers a site for an account, in one transaction with the job that screens it. A site that is ready in the same
   * release gets no job; a failed one is tried again.
   * @param screening has one key for a site, so that only one waits or runs.
   */
  register(registration: SiteRegistration, screening: NewJob): Promise<SiteRow>;
  /** A site that the account registered; null otherwise. */
  site(accountId: string, siteId: string, now: number): Promise<SiteRow | null>;
  /** Sites that the account registered, the last registered first. */
  list(accountId: string, part: ListPart, now: number): Promise<(SiteRow & { readonly expiresAt: number })[]>;
  /** JSON texts of a ready site that the account registered; null otherwise. */
  texts(
    accountId: string,
    siteId: string,
    now: number,
  ): Promise<{ readonly dossier: string; readonly geometry: string } | null>;
  /** JSON text of the polygon of a site that the account registered; null otherwise. */
  polygon(accountId: string, siteId: string, now: number): Promise<string | null>;
  /** Takes the account's registration of a site away, and the site where nobody else has it. @returns whether it had one. */
  forget(accountId: string, siteId: string, now: number): Promise<boolean>;
  /** The work for a screening; null when the site is gone or ready. A failed site becomes `building` again. */
  begin(siteId: string): Promise<ScreeningWork | null>;
  /** Deletes what has expired. @returns how many, at most 100. */
  prune(now: number): Promise<number>;
}

type SiteColumns = Pick<Tables['sites'], 'id' | 'status' | 'acres' | 'extent' | 'built_at' | 'error'>;

const COLUMNS = ['id', 'status', 'acres', 'extent', 'built_at', 'error'] as const;

const toSite = ({ id, status, acres, extent, built_at, error }: SiteColumns): SiteRow => ({
  id,
  status,
  acres,
  extent: JSON.parse(extent) as SiteRow['extent'],
  builtAt: built_at,
  error,
});

/** Sites over any Kysely database. */
export function sitesIn(db: Kysely<Tables>, jobs: JobQueue): SiteRecords {
  const registered = (accountId: string, siteId: string, now: number) =>
    db
      .selectFrom('sites')
      .innerJoin('site_registrations', 'site_registrations.site_id', 'sites.id')
      .where('sites.id', '=', siteId)
      .where('site_registrations.account_id', '=', accountId)
      .where('site_registrations.expires_at', '>', now);
  return {
    async register({ id, accountId, geometry, acres, extent, release, now, expiresAt }, screening) {
      const shape = await packed(geometry);
      return transact(db, async tx => {
        const before = await tx
          .selectFrom('sites')
          .select(['status', 'wanted'])
          .where('id', '=', id)
          .executeTakeFirst();
        // Locks the job, then the site, in the same order as the end of a screening, so that they cannot deadlock.
        const foreseen = before?.status !== 'ready' || before.wanted !== release;
        if (foreseen) await jobs.enqueueIn(tx, screening);
        const row = await tx
          .insertInto('sites')
          .values({
            id,
            geometry: shape,
            acres,
            extent: JSON.stringify(extent),
            status: 'building',
            wanted: release,
            release: null,
            dossier: null,
            built_at: null,
            error: null,
            registered_at: now,
            expires_at: expiresAt,
          })
          .onConflict(conflict =>
            conflict.column('id').doUpdateSet({
              expires_at: expiresAt,
              // On the right side the columns have their old values.
              status: sql`case when sites.status <> 'failed' and sites.wanted = ${release} then sites.status else 'building' end`,
              error: sql`case when sites.status <> 'failed' and sites.wanted = ${release} then sites.error end`,
              wanted: release,
            }),
          )
          .returning(COLUMNS)
          .executeTakeFirstOrThrow();
        if (row.status === 'building' && !foreseen) await jobs.enqueueIn(tx, screening);
        await tx
          .insertInto('site_registrations')
          .values({ account_id: accountId, site_id: id, expires_at: expiresAt })
          .onConflict(conflict => conflict.columns(['account_id', 'site_id']).doUpdateSet({ expires_at: expiresAt }))
          .execute();
        return toSite(row);
      });
    },
    async site(accountId, siteId, now) {
      const row = await registered(accountId, siteId, now)
        .select(['sites.id', 'sites.status', 'sites.acres', 'sites.extent', 'sites.built_at', 'sites.error'])
        .executeTakeFirst();
      return row ? toSite(row) : null;
    },
    async list(accountId, { after, limit }, now) {
      let listed = db
        .selectFrom('sites')
        .innerJoin('site_registrations', 'site_registrations.site_id', 'sites.id')
        .select(['sites.id', 'sites.status', 'sites.acres', 'sites.extent', 'sites.built_at', 'sites.error'])
        .select('site_registrations.expires_at')
        .where('site_registrations.account_id', '=', accountId)
        .where('site_registrations.expires_at', '>', now)
        .orderBy('site_registrations.expires_at', 'desc')
        .orderBy('sites.id', 'desc')
        .limit(limit);
      if (after)
        listed = listed.where(eb =>
          eb(eb.refTuple('site_registrations.expires_at', 'sites.id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      return (await listed.execute()).map(({ expires_at: expiresAt, ...row }) => ({ ...toSite(row), expiresAt }));
    },
    async texts(accountId, siteId, now) {
      const row = await registered(accountId, siteId, now)
        .select(['sites.dossier', 'sites.geometry'])
        .where('sites.status', '=', 'ready')
        .executeTakeFirst();
      return row?.dossier ? { dossier: await unpacked(row.dossier), geometry: await unpacked(row.geometry) } : null;
    },
    async polygon(accountId, siteId, now) {
      const row = await registered(accountId, siteId, now).select('sites.geometry').executeTakeFirst();
      return row ? unpacked(row.geometry) : null;
    },
    forget: (accountId, siteId, now) =>
      transact(db, async tx => {
        // Locks the site: who registers it meanwhile waits, and finds it or makes it anew.
        await tx
          .updateTable('sites')
          .set(eb => ({ expires_at: eb.ref('expires_at') }))
          .where('id', '=', siteId)
          .execute();
        const { numDeletedRows } = await tx
          .deleteFrom('site_registrations')
          .where('account_id', '=', accountId)
          .where('site_id', '=', siteId)
          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        const other = await tx
          .selectFrom('site_registrations')
          .select('account_id')
          .where('site_id', '=', siteId)
          .executeTakeFirst();
        if (!other) await tx.deleteFrom('sites').where('id', '=', siteId).execute();
        return true;
      }),
    async begin(siteId) {
      const row = await db
        .updateTable('sites')
        .set({ status: 'building', error: null })
        .where('id', '=', siteId)
        .where('status', 'in', ['building', 'failed'])
        .returning(['geometry', 'acres', 'extent'])
        .executeTakeFirst();
      if (!row) return null;
      const extent = JSON.parse(row.extent) as SiteRow['extent'];
      return { geometry: await unpacked(row.geometry), acres: row.acres, extent };
    },
    prune: now =>
      transact(db, async tx => {
        await tx.deleteFrom('site_registrations').where('expires_at', '<=', now).execute();
        const old = tx.selectFrom('sites').select('id').where('expires_at', '<=', now).limit(100);
        const { numDeletedRows } = await tx.deleteFrom('sites').where('id', 'in', old).executeTakeFirst();
        return Number(numDeletedRows);
      }),
  };
}

/** Effect: a site is ready. @param dossier JSON text. @param release that it was screened in. */
export async function siteScreened(id: string, dossier: string, release: string, now: number): Promise<Effect> {
  const bytes = await packed(dossier);
  return async tx => {
    await tx
      .updateTable('sites')
      .set({ status: 'ready', dossier: bytes, release, wanted: release, built_at: now, error: null })
      .where('id', '=', id)
      .execute();
  };
}

/** Effect: a site could not be screened. @param error the reason. */
export const siteUnscreened =
  (id: string, error: string): Effect =>
  async tx => {
    await tx
      .updateTable('sites')
      .set({ status: 'failed', error })
      .where('id', '=', id)
      .where('status', '=', 'building')
      .execute();
  };
