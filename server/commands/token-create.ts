import { type Command, UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { PLAN_NAMES, type Plan } from '../plans.ts';
import { SCOPES, type Scope, scopesIn, type Terms } from '../scopes.ts';
import { commandLine } from '../state/audit.ts';
import { requireEmail } from './email.ts';

/** Reads the limits of a token. @throws UsageError. */
function limitsOf(scope: unknown, credits: unknown): Terms {
  const names = scope === undefined ? [...SCOPES] : String(scope).split(',');
  const scopes = scopesIn(names.join(' '));
  if (names.some(name => !scopes.includes(name as Scope)))
    throw new UsageError(`token create: expected --scope to be of ${SCOPES.join(', ')}, got ${scope}`);
  if (credits !== undefined && !/^\d{1,9}$/.test(String(credits)))
    throw new UsageError(`token create: expected --credits-a-day to be a whole number, got ${credits}`);
  return { scopes, creditsADay: credits === undefined ? null : Number(credits) };
}

/** `plat token create`: only the token goes to stdout, so that it can be assigned to a variable. */
export const tokenCreateCommand: Command = {
  name: 'token create',
  example: 'plat token create --account you@example.org',
  summary: 'Issue an API token of an account, which is made when there is none',
  options: [
    { flags: '--account <email>', description: 'E-mail address of the account (required).' },
    {
      flags: '--plan <plan>',
      description: `Plan of the account: ${PLAN_NAMES.join(', ')}. A new account without it is on free.`,
    },
    {
      flags: '--scope <scopes>',
      description: `What the token may do, with commas: ${SCOPES.join(', ')}. Without it all.`,
    },
    {
      flags: '--credits-a-day <number>',
      description: 'Credits that it may spend a day. Without it those of the account.',
    },
  ],
  async run(_args, options, terminal) {
    const { plan } = options;
    const email = requireEmail('token create', options.account);
    if (plan !== undefined && !PLAN_NAMES.includes(plan as Plan))
      throw new UsageError(`token create: expected --plan to be one of ${PLAN_NAMES.join(', ')}, got ${plan}`);
    const limits = limitsOf(options.scope, options.creditsADay);
    const settings = readSettings(process.env);
    const [{ keptSecret }, { createTokenService }, { openState, requireSecrets }] = await Promise.all([
      import('../auth/secret.ts'),
      import('../auth/token.ts'),
      import('../state/open.ts'),
    ]);
    requireSecrets(settings, ['tokenSecret']);
    const by = commandLine();
    const state = await openState(settings.home, settings.stateUrl);
    try {
      let account = await state.openAccount(email, (plan as Plan | undefined) ?? 'free', by);
      if (plan !== undefined && plan !== account.plan) {
        await state.setPlan(account.id, plan as Plan, by);
        account = { ...account, plan: plan as Plan };
      }
      const secret = settings.tokenSecret ?? keptSecret(settings.home, 'token');
      const token = await createTokenService(secret, state, Date).issue(account, by, limits);
      terminal.out(terminal.json ? JSON.stringify({ token, account: account.email, plan: account.plan }) : token);
      return 0;
    } finally {
      await state.close();
    }
  },
};
