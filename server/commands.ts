import type { Command } from '../query/engine/command.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { geocodeCommand } from './commands/geocode.ts';
import { restoreCommand } from './commands/restore.ts';
import { serveCommand } from './commands/serve.ts';
import { sessionCreateCommand } from './commands/session-create.ts';
import { settingsCommand } from './commands/settings.ts';
import { tokenCreateCommand } from './commands/token-create.ts';
import { tokenListCommand } from './commands/token-list.ts';
import { tokenRevokeCommand } from './commands/token-revoke.ts';

/** The commands of the server. */
export const commands: readonly Command[] = [
  serveCommand,
  geocodeCommand,
  tokenCreateCommand,
  tokenListCommand,
  tokenRevokeCommand,
  sessionCreateCommand,
  auditCommand,
  backupCommand,
  restoreCommand,
  settingsCommand,
];
