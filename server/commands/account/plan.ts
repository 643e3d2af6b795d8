import { type Command, UsageError } from '../../../query/engine/command.ts';
import { PLAN_NAMES, type Plan } from '../../plans.ts';
import { commandLine } from '../../state/audit.ts';
import { ACCOUNT_OPTION, onAccount } from './named.ts';

/** `plat account plan`. */
export const accountPlanCommand: Command = {
  name: 'account plan',
  example: 'plat account plan --account you@example.org --plan growth',
  summary: 'Put an account on another plan; running servers charge and limit by it at once',
  options: [ACCOUNT_OPTION, { flags: '--plan <plan>', description: `${PLAN_NAMES.join(', ')} (required).` }],
  run: async (_args, { account: email, plan }, terminal) => {
    if (!PLAN_NAMES.includes(plan as Plan))
      throw new UsageError(`account plan: expected --plan to be one of ${PLAN_NAMES.join(', ')}`);
    return onAccount('account plan', email, terminal, async (state, id) => {
      await state.setPlan(id, plan as Plan, commandLine());
      return `on plan ${plan}`;
    });
  },
};
