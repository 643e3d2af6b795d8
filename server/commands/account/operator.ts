import type { Command } from '../../../query/engine/command.ts';
import { commandLine } from '../../state/audit.ts';
import { onAccount } from './named.ts';

/** `plat account operator`. */
export const accountOperatorCommand: Command = {
  name: 'account operator',
  example: 'plat account operator you@example.org',
  summary: 'Let an account see in the console the state of the places of this installation',
  args: ['<email>'],
  options: [{ flags: '--remove', description: 'Let them see it no more.' }],
  run: async ([email], { remove }, terminal) =>
    onAccount('account operator', email, terminal, async (state, id) => {
      const is = remove !== true;
      const changed = await state.accountRecords.setOperator(id, is, Date.now(), commandLine());
      return `${changed ? 'is' : 'was'} ${is ? 'an operator' : 'no operator'}${changed ? ' now' : ' before'}`;
    }),
};
