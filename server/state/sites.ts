import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { AHEAD_MS } from './clock-jump.ts';
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

/** A site that is registered; the geometry is JSON text. */
export interface SiteRegistration {
  readonly id: string;
  readonly accountId: string;
  readonly geometry: string;
  readonly acres: number;
  readonly extent: SiteRow['extent'];
  /** Of the release that it shall be screened in. */
  readonly release: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly expiresAt: number;
}

/** The right to screen a site, until its lease ends unless renewed. */
export interface ScreeningClaim {
  readonly id: string;
  readonly executor: string;
  /** JSON text. */
  readonly geometry: string;
  readonly acres: number;
  readonly extent: SiteRow['extent'];
  /** How often it was begun, this time counted. */
  readonly attempts: number;
}

/** Sites, who registered them, and what is known of them. A dossier is shared by all who registered its site. */
export interface SiteRecords {
  /**
   * Registers a site for an account. It is to be screened unless it is ready, or being screened, in the same release;
   * what failed is tried again.
   */
  register(registration: SiteRegistration): Promise<SiteRow>;
  /** A site that the account registered; null otherwise. */
  site(accountId: string, siteId: string, now: number): Promise<SiteRow | null>;
  /** JSON text of the dossier of a ready site that the account registered; null otherwise. */
  dossier(accountId: string, siteId: string, now: number): Promise<string | null>;
  /** A site that waits to be screened, or whose executor is dead; null when there is none. The longest waiting first. */
  claim(now: number, leaseUntil: number): Promise<ScreeningClaim | null>;
  /** @returns false when the claim was taken over. */
  renew(claim: ScreeningClaim, leaseUntil: number): Promise<boolean>;
  /** Files a dossier. @returns false when the claim was taken over: nothing changed. */
  complete(claim: ScreeningClaim, dossier: string, release: string, now: number): Promise<boolean>;
  /** Ends a screening that failed. @param error null lets another try again at `retryAt`. */
  abandon(claim: ScreeningClaim, error: string | null, retryAt: number): Promise<void>;
  /** Forgets what expired. @returns how many, at most 100. */
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

/** Sites over any database that Kysely speaks. */
export function sitesIn(db: Kysely<Tables>): SiteRecords {
  const registered = (accountId: string, siteId: string, now: number) =>
    db
      .selectFrom('sites')
      .innerJoin('site_registrations', 'site_registrations.site_id', 'sites.id')
      .where('sites.id', '=', siteId)
      .where('site_registrations.account_id', '=', accountId)
      .where('site_registrations.expires_at', '>', now);
  return {
    async register({ id, accountId, geometry, acres, extent, release, now, expiresAt }) {
      const shape = await packed(geometry);
      return transact(db, async tx => {
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
            executor: null,
            lease_until: 0,
            attempts: 0,
            registered_at: now,
            expires_at: expiresAt,
          })
          .onConflict(conflict =>
            conflict.column('id').doUpdateSet({
              expires_at: expiresAt,
              // What stands on the right are the values of before.
              status: sql`case when sites.status <> 'failed' and sites.wanted = ${release} then sites.status else 'building' end`,
              attempts: sql`case when sites.status <> 'failed' and sites.wanted = ${release} then sites.attempts else 0 end`,
              lease_until: sql`case when sites.status <> 'failed' and sites.wanted = ${release} then sites.lease_until else 0 end`,
              executor: sql`case when sites.status <> 'failed' and sites.wanted = ${release} then sites.executor end`,
              error: sql`case when sites.status <> 'failed' and sites.wanted = ${release} then sites.error end`,
              wanted: release,
            }),
          )
          .returning(COLUMNS)
          .executeTakeFirstOrThrow();
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
    async dossier(accountId, siteId, now) {
      const row = await registered(accountId, siteId, now)
        .select('sites.dossier')
        .where('sites.status', '=', 'ready')
        .executeTakeFirst();
      return row?.dossier ? unpacked(row.dossier) : null;
    },
    async claim(now, leaseUntil) {
      const executor = randomUUID();
      // A lease that ends later than a new one would was given by a clock that had jumped.
      const free = (site: ExpressionBuilder<Tables, 'sites'>) =>
        site.or([site('lease_until', '<=', now), site('lease_until', '>', leaseUntil + AHEAD_MS)]);
      const next = db
        .selectFrom('sites')
        .select('id')
        .where('status', '=', 'building')
        .where(free)
        .orderBy('lease_until')
        .orderBy('registered_at')
        .limit(1);
      const row = await db
        .updateTable('sites')
        .set(site => ({ executor, lease_until: leaseUntil, attempts: site('attempts', '+', 1) }))
        .where('id', 'in', next)
        // Asked again of the row itself: another may have taken it between the two.
        .where('status', '=', 'building')
        .where(free)
        .returning(['id', 'geometry', 'acres', 'extent', 'attempts'])
        .executeTakeFirst();
      if (!row) return null;
      const { id, acres, attempts } = row;
      const extent = JSON.parse(row.extent) as SiteRow['extent'];
      return { id, executor, geometry: await unpacked(row.geometry), acres, extent, attempts };
    },
    async renew({ id, executor }, leaseUntil) {
      const renewed = await db
        .updateTable('sites')
        .set({ lease_until: leaseUntil })
        .where('id', '=', id)
        .where('executor', '=', executor)
        .where('status', '=', 'building')
        .returning('id')
        .executeTakeFirst();
      return renewed !== undefined;
    },
    async complete({ id, executor }, dossier, release, now) {
      const bytes = await packed(dossier);
      const filed = await db
        .updateTable('sites')
        .set({ status: 'ready', dossier: bytes, release, wanted: release, built_at: now, error: null, executor: null })
        .where('id', '=', id)
        .where('executor', '=', executor)
        .where('status', '=', 'building')
        .returning('id')
        .executeTakeFirst();
      return filed !== undefined;
    },
    async abandon({ id, executor }, error, retryAt) {
      await db
        .updateTable('sites')
        .set(error === null ? { executor: null, lease_until: retryAt } : { status: 'failed', error, executor: null })
        .where('id', '=', id)
        .where('executor', '=', executor)
        .where('status', '=', 'building')
        .execute();
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
