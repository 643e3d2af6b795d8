/** A fault that somebody could plant: a text of a source file that is replaced by another one, once. */
export interface Fault {
  readonly name: string;
  /** Path in the project. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const LEDGER = 'server/state/ledger.ts';
const IDEMPOTENCY = 'server/state/idempotency.ts';
const JOBS = 'server/state/jobs/embedded.ts';
const DELIVERIES = 'server/state/field-requests/deliveries.ts';
const WEBHOOK = 'server/field-requests/callbacks/webhook.ts';
const LIMIT = 'server/rate/limit.ts';

/** Twenty faults, written down before the simulation was. It finds each of them. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'a charge that was settled is settled once more',
    file: LEDGER,
    from: `      .where('state', '=', state)
      .returning(['endpoint', 'grant_id', 'opened_at'])`,
    to: `      .returning(['endpoint', 'grant_id', 'opened_at'])`,
  },
  {
    name: 'what a charge did not cost stays reserved',
    file: LEDGER,
    from: 'const spend = { accountId, period, held: -reserved, spent: cost };',
    to: 'const spend = { accountId, period, held: -cost, spent: cost };',
  },
  {
    name: 'an abandoned reservation is released and its credits are not given back',
    file: LEDGER,
    from: 'await addUsage(tx, { accountId, period, held: -reserved, spent: 0 });\n  return released.length;',
    to: 'void [period, reserved];\n  return released.length;',
  },
  {
    name: 'a reservation that is taken over holds its credits twice',
    file: LEDGER,
    from: 'if (held) await addUsage(tx, { accountId, period, held: -whole, spent: 0 });',
    to: '',
  },
  {
    name: 'a released reservation is settled though the credits are gone',
    file: LEDGER,
    from: "if (row?.state !== 'released' || !(await hold(tx, reservation, reserved))) return null;",
    to: "if (row?.state !== 'released') return null;\n  await addUsage(tx, { accountId, period, held: reserved, spent: 0 });",
  },
  {
    name: 'credits that running requests hold do not count against the limit',
    file: 'server/state/usage/usage.ts',
    from: 'where credit_usage.spent + credit_usage.held + excluded.held',
    to: 'where credit_usage.spent + excluded.held',
  },
  {
    name: 'who takes a request over charges it under a new id',
    file: 'server/idempotency/once.ts',
    from: '{claim.id}`',
    to: '{claim.executor}`',
  },
  {
    name: 'a key answers another body with the stored answer',
    file: IDEMPOTENCY,
    from: "if (row.body_hash !== bodyHash) return { kind: 'reused' } as const;",
    to: '',
  },
  {
    name: 'a key answers another account with the stored answer',
    file: IDEMPOTENCY,
    from: `          .select(['id', 'body_hash', 'executor', 'lease_until', 'answer'])
          .where('account_id', '=', accountId)`,
    to: `          .select(['id', 'body_hash', 'executor', 'lease_until', 'answer'])`,
  },
  {
    name: 'an answer that nobody could pay for is kept all the same',
    file: IDEMPOTENCY,
    from: 'if (!sums) throw new Undo();',
    to: '',
  },
  {
    name: 'a request that failed keeps its reservation',
    file: IDEMPOTENCY,
    from: 'if (isFree && reservation) await settleIn(tx, reservation, 0, now);',
    to: '',
  },
  {
    name: 'a worker whose job was taken over still ends it',
    file: JOBS,
    from: "on.updateTable('jobs').where('id', '=', id).where('token', '=', token).where('status', '=', 'running');",
    to: "on.updateTable('jobs').where('id', '=', id).where('token', token ? 'is not' : 'is', null).where('status', '=', 'running');",
  },
  {
    name: 'a job is claimed while its worker lives',
    file: JOBS,
    from: ".where(status === 'waiting' ? 'start_after' : 'lease_until', '<=', now);",
    to: ".where(status === 'waiting' ? 'start_after' : 'started_at', '<=', now);",
  },
  {
    name: 'a job that failed for good leaves what it was for as it was',
    file: JOBS,
    from: `        if (over) {
          await ended?.(tx, changes);`,
    to: `        if (over) {`,
  },
  {
    name: 'work that must not be repeated is repeated after its process died',
    file: 'server/jobs/attempt.ts',
    from: 'if (claim.attempt > claim.lastAttempt) {',
    to: 'if (claim.attempt > claim.lastAttempt + 1) {',
  },
  {
    name: 'a callback counts as delivered when the receiver answers that it failed',
    file: WEBHOOK,
    from: "if (status >= 200 && status < 300) return 'taken';",
    to: "if (status >= 200) return 'taken';",
  },
  {
    name: 'a callback is given up after the first connection that breaks',
    file: WEBHOOK,
    from: "throw error.fault === 'refused' ? new Hopeless(message) : new NotDelivered(message);",
    to: 'throw new Hopeless(message);',
  },
  {
    name: 'a callback tells one requester what became of the request of another',
    file: DELIVERIES,
    from: `        .select(['payload', 'callback', 'account_id'])
        .where('request_id', '=', request_id)`,
    to: `        .select(['payload', 'callback', 'account_id'])`,
  },
  {
    name: 'a release becomes current before its files are there',
    file: 'query/release/pull/pull-release.ts',
    from: '  await bringAll(home, files, downloading);\n  try {\n    readManifest',
    to: '  void bringAll(home, files, downloading).catch(() => {});\n  try {\n    readManifest',
  },
  {
    name: 'each server counts the requests of an account by itself',
    file: LIMIT,
    from: 'const requests = await windows.count(account.id, minute).catch(',
    to: 'const requests = await Promise.resolve(countInProcess(account.id, minute)).catch(',
  },
];
