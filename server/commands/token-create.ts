import { type Command, UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { PLAN_NAMES, type Plan } from '../plans.ts';
import { commandLine } from '../state/audit.ts';
import { requireEmail } from './email.ts';

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
  ],
  async run(_args, options, terminal) {
    const { plan } = options;
    const email = requireEmail('token create', options.account);
    if (plan !== undefined && !PLAN_NAMES.includes(plan as Plan))
      throw new UsageError(`token create: expected --plan to be one of ${PLAN_NAMES.join(', ')}, got ${plan}`);
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
      const token = await createTokenService(secret, state, Date).issue(account, by);
      terminal.out(terminal.json ? JSON.stringify({ token, account: account.email, plan: account.plan }) : token);
      return 0;
    } finally {
      await state.close();
    }
  },
};
