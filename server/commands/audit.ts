import { type Command, UsageError } from '../../query/engine/command.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../state/audit.ts';
import { namedAccount, withState } from './open-state.ts';

const FALLBACK = '100';
const MOST = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The moment that `--since` names: so many days ago, or a date. @throws UsageError */
function sinceOf(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  const days = /^(\d{1,5})d$/.exec(String(text));
  const at = days ? Date.now() - Number(days[1]) * DAY_MS : Date.parse(String(text));
  if (!Number.isFinite(at)) throw new UsageError(`audit: expected --since as 30d or 2026-01-31, got ${text}`);
  return at;
}

/** `plat audit`. */
export const auditCommand: Command = {
  name: 'audit',
  example: 'plat audit --account you@example.org --limit 20',
  summary: 'Show who changed tokens, plans, limits and settings, newest first',
  options: [
    { flags: '--account <email>', description: 'Only what concerns this account.' },
    { flags: '--action <action>', description: `Only one of: ${Object.keys(AUDIT_ACTIONS).join(', ')}.` },
    { flags: '--since <when>', description: 'Only from then on: so many days (30d) or a date.' },
    { flags: '--limit <n>', description: 'Lines at most.', fallback: FALLBACK },
  ],
  run: (_args, { account: email, action, since, limit = FALLBACK }, terminal) => {
    const most = Number(limit);
    if (!Number.isInteger(most) || most < 1 || most > MOST)
      throw new UsageError(`audit: expected --limit as a whole number from 1 to ${MOST}, got ${limit}`);
    if (action !== undefined && !Object.hasOwn(AUDIT_ACTIONS, action as string))
      throw new UsageError(`audit: expected --action to be one of ${Object.keys(AUDIT_ACTIONS).join(', ')}`);
    const from = sinceOf(since);
    return withState(async state => {
      const entries = await state.audit.entries({
        limit: most,
        ...(email === undefined ? {} : { accountId: (await namedAccount(state, 'audit', email)).id }),
        ...(action === undefined ? {} : { action: action as AuditAction }),
        ...(from === undefined ? {} : { since: from }),
      });
      const ids = [...new Set(entries.flatMap(({ accountId }) => accountId ?? []))];
      const emails = new Map((await state.accountsOf(ids)).map(account => [account.id, account.email]));
      const rows = entries.map(({ at, accountId, ...rest }) => ({
        at: new Date(at).toISOString(),
        account: accountId === null ? null : (emails.get(accountId) ?? accountId),
        ...rest,
      }));
      if (terminal.json) terminal.out(JSON.stringify(rows));
      else
        for (const { at, actor, action: what, account, subject, detail } of rows)
          terminal.out([at, what, account ?? '-', subject ?? '-', JSON.stringify(detail), `by ${actor}`].join('  '));
      return 0;
    });
  },
};
