import type { Command } from '../../../query/engine/command.ts';
import { withState } from '../open-state.ts';

/** `plat receipt keys`. */
export const receiptKeysCommand: Command = {
  name: 'receipt keys',
  example: 'plat receipt keys --json > receipt-keys.json',
  summary: 'List the public keys of receipts, as a server publishes them at /.well-known/receipt-keys.json',
  options: [],
  run: (_args, _options, terminal) =>
    withState(async state => {
      const { publishedKey } = await import('../../receipts/keys.ts');
      const keys = (await state.receiptKeys.keys()).map(publishedKey);
      if (terminal.json) terminal.out(JSON.stringify({ keys }));
      else if (keys.length === 0) terminal.err('No key yet: the first receipt makes one');
      else
        for (const { kid, signs_from, signed_until } of keys)
          terminal.out(`${kid}  signs from ${signs_from}${signed_until === null ? '' : ` until ${signed_until}`}`);
      return 0;
    }),
};
