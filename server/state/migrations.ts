import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import accountsAndTokens from './migrations/0001-accounts-and-tokens.ts';
import creditsIdempotencyAndRequestWindows from './migrations/0002-credits-idempotency-and-request-windows.ts';
import geocodes from './migrations/0003-geocodes.ts';
import probe from './migrations/0010-probe.ts';
import packedAnswers from './migrations/0011-packed-answers.ts';
import audit from './migrations/0012-audit.ts';
import signIn from './migrations/0020-sign-in.ts';
import provider from './migrations/0021-provider.ts';
import sites from './migrations/0040-sites.ts';
import jobs from './migrations/0050-jobs.ts';
import screenings from './migrations/0052-screenings.ts';
import fieldRequests from './migrations/0070-field-requests.ts';
import fieldRequestDeliveries from './migrations/0071-field-request-deliveries.ts';
import agents from './migrations/0080-agents.ts';
import routing from './migrations/0080-routing.ts';
import terms from './migrations/0081-terms.ts';
import listsByAccount from './migrations/0090-lists-by-account.ts';
import mailConsents from './migrations/0100-mail-consents.ts';
import jobTurns from './migrations/0110-job-turns.ts';
import grants from './migrations/0130-grants.ts';
import endedSessions from './migrations/0131-ended-sessions.ts';
import unsentNotices from './migrations/0132-unsent-notices.ts';
import operators from './migrations/0165-operators.ts';
import scopes from './migrations/0170-scopes.ts';
import matchMaps from './migrations/0190-match-maps.ts';
import receipts from './migrations/0200-receipts.ts';
import watches from './migrations/0220-watches.ts';
import corrections from './migrations/0230-corrections.ts';
import sitingTemplates from './migrations/0240-siting-templates.ts';
import usageByGrant from './migrations/0250-usage-by-grant.ts';
import runs from './migrations/runs/0051-runs.ts';
import runReleases from './migrations/runs/0171-run-releases.ts';
import exportTables from './migrations/runs/0180-exports.ts';

/**
 * Schema changes in the order of their names. A released one is never edited. `bigint` is 64 bits in both databases.
 */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_accounts_and_tokens': accountsAndTokens,
  '0002_credits_idempotency_and_request_windows': creditsIdempotencyAndRequestWindows,
  '0003_geocodes': geocodes,
  '0010_probe': probe,
  '0011_packed_answers': packedAnswers,
  '0012_audit': audit,
  '0020_sign_in': signIn,
  '0021_provider': provider,
  '0040_sites': sites,
  '0050_jobs': jobs,
  '0051_runs': runs,
  '0052_screenings': screenings,
  '0070_field_requests': fieldRequests,
  '0071_field_request_deliveries': fieldRequestDeliveries,
  '0080_agents': agents,
  '0080_routing': routing,
  '0081_terms': terms,
  '0090_lists_by_account': listsByAccount,
  '0100_mail_consents': mailConsents,
  '0110_job_turns': jobTurns,
  '0130_grants': grants,
  '0131_ended_sessions': endedSessions,
  '0132_unsent_notices': unsentNotices,
  '0165_operators': operators,
  '0170_scopes': scopes,
  '0171_run_releases': runReleases,
  '0180_exports': exportTables,
  '0190_match_maps': matchMaps,
  '0200_receipts': receipts,
  '0220_watches': watches,
  '0230_corrections': corrections,
  '0240_siting_templates': sitingTemplates,
  '0250_usage_by_grant': usageByGrant,
};

/** A newer version used the store, and changed its tables in a way that this one does not know. */
export class NewerTables extends Error {
  override readonly name = 'NewerTables';

  /** @param unknown names of the changes. */
  constructor(unknown: readonly string[]) {
    super(
      `a newer Plat has used it: this one does not know ${unknown.join(', ')}. Start that version again, or restore the backup that was made before the upgrade (docs/operations.md, Upgrade). Nothing was changed`,
    );
  }
}

/**
 * Brings the tables up to date. When several processes start together, one does it: in PostgreSQL through Kysely's
 * advisory lock, in SQLite because the caller's transaction holds the one write lock of the file.
 * @throws NewerTables; whatever a migration throws. It is rolled back then.
 */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  // Two branches may each add one. A store that has the later one gets the earlier one too.
  const allowUnorderedMigrations = true;
  const migrator = new Migrator({
    db,
    allowUnorderedMigrations,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  if (/^corrupted migrations: /.test((error as Error).message)) {
    const { rows } = await sql<{
      name: string;
    }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
    const unknown = rows.map(({ name }) => name).filter(name => !Object.hasOwn(MIGRATIONS, name));
    if (unknown.length > 0) throw new NewerTables(unknown);
  }
  throw error;
}
