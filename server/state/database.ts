import type { Kysely } from 'kysely';
import { accountsIn } from './accounts.ts';
import { agentGrantsIn } from './agents/agent-grants.ts';
import { budgetsIn } from './agents/budgets.ts';
import { deviceCodesIn } from './agents/device-codes.ts';
import { onboardingIn } from './agents/onboarding.ts';
import { termsIn } from './agents/terms.ts';
import { unsentNoticesIn } from './agents/unsent-notices.ts';
import { auditIn } from './audit.ts';
import type { Changes } from './changes/changes.ts';
import { correctionsIn } from './corrections/records.ts';
import { piecesIn } from './exports/pieces.ts';
import { exportsIn } from './exports/records.ts';
import { uploadsIn } from './exports/uploads.ts';
import { fieldRequestsIn } from './field-requests/records.ts';
import { geocodesIn } from './geocodes.ts';
import { idempotencyIn } from './idempotency.ts';
import type { JobQueue } from './jobs/queue.ts';
import { ledgerIn } from './ledger.ts';
import { matchMapsIn } from './maps/match-maps.ts';
import { writeProbe } from './probe.ts';
import { receiptKeysIn } from './receipts/keys.ts';
import { receiptsIn } from './receipts/records.ts';
import { requestWindowsIn } from './request-window.ts';
import { routingIn } from './routing/records.ts';
import { runsIn } from './runs/records.ts';
import { accountRecordsIn } from './sign-in/account-records.ts';
import { attemptsIn } from './sign-in/attempts.ts';
import { identitiesIn } from './sign-in/identities.ts';
import { mailCodesIn } from './sign-in/mail-codes.ts';
import { providerRecordsIn } from './sign-in/provider-records.ts';
import { signingKeysIn } from './sign-in/signing-keys.ts';
import { usersIn } from './sign-in/users.ts';
import { sitesIn } from './sites.ts';
import { sitingTemplatesIn } from './siting/templates.ts';
import type { StateStore } from './store.ts';
import type { Tables } from './tables.ts';
import { watchesIn } from './watches/records.ts';

/** The health of a store without a watch. Its failures appear as errors of the calls themselves. */
const UNWATCHED = { failing: false, outages: 0, check: async () => true };

/** The parts that differ between databases. */
interface Kind {
  readonly jobs: JobQueue;
  readonly changes: Changes;
  /** For databases that do not return free space by themselves. */
  readonly giveBack?: StateStore['giveBack'];
}

/** Makes the state store over a database whose tables are up to date. Closing the store closes the database. */
export function storeIn(db: Kysely<Tables>, { jobs, changes, giveBack = async () => false }: Kind): StateStore {
  const accounts = accountsIn(db);
  return {
    ...accounts.records,
    audit: auditIn(db),
    identities: identitiesIn(db, accounts.changed),
    attempts: attemptsIn(db),
    signingKeys: signingKeysIn(db),
    users: usersIn(db),
    accountRecords: accountRecordsIn(db, accounts.changed),
    providerRecords: providerRecordsIn(db),
    mailCodes: mailCodesIn(db),
    ledger: ledgerIn(db),
    budgets: budgetsIn(db),
    idempotency: idempotencyIn(db),
    geocodes: geocodesIn(db),
    routing: routingIn(db),
    requests: requestWindowsIn(db),
    matchMaps: matchMapsIn(db),
    sitingTemplates: sitingTemplatesIn(db),
    receipts: receiptsIn(db),
    receiptKeys: receiptKeysIn(db),
    sites: sitesIn(db, jobs),
    watches: watchesIn(db, jobs),
    fieldRequests: fieldRequestsIn(db, jobs),
    corrections: correctionsIn(db, jobs),
    onboarding: onboardingIn(db),
    terms: termsIn(db),
    deviceCodes: deviceCodesIn(db),
    agentGrants: agentGrantsIn(db),
    unsentNotices: unsentNoticesIn(db),
    runs: runsIn(db, jobs, changes),
    uploads: uploadsIn(db),
    exports: exportsIn(db, jobs, changes),
    pieces: piecesIn(db),
    jobs,
    changes,
    health: UNWATCHED,
    giveBack,
    probe: () => writeProbe(db),
    async close() {
      await changes.close();
      await jobs.close();
      await db.destroy();
    },
  };
}
