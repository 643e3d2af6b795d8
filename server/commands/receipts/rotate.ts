import type { Command } from '../../../query/engine/command.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { commandLine } from '../../state/audit.ts';
import { withState } from '../open-state.ts';

/** `plat receipt rotate`. */
export const receiptRotateCommand: Command = {
  name: 'receipt rotate',
  example: 'plat receipt rotate',
  summary: 'Sign receipts with a new key from now on, on every server; the private half of the old one is deleted',
  options: [],
  async run(_args, _options, terminal) {
    const settings = readSettings(process.env);
    const [{ keptSecret }, { requireSecrets }, { createReceiptKeys }] = await Promise.all([
      import('../../auth/secret.ts'),
      import('../../state/open.ts'),
      import('../../receipts/keys.ts'),
    ]);
    requireSecrets(settings, ['tokenSecret']);
    const secret = settings.tokenSecret ?? keptSecret(settings.home, 'token');
    return withState(async state => {
      const key_id = await createReceiptKeys(state.receiptKeys, secret, Date).rotate();
      const entry = { at: Date.now(), actor: commandLine(), accountId: null, subject: key_id, detail: {} };
      await state.audit.record({ ...entry, action: 'receipt_key_rotated' });
      terminal.out(terminal.json ? JSON.stringify({ key_id }) : `${key_id} signs receipts from now on`);
      return 0;
    });
  },
};
