import type { Command } from '../query/engine/command.ts';
import { geocodeCommand } from './commands/geocode.ts';
import { serveCommand } from './commands/serve.ts';
import { settingsCommand } from './commands/settings.ts';
import { tokenCreateCommand } from './commands/token-create.ts';

/** The commands of the server. */
export const commands: readonly Command[] = [serveCommand, geocodeCommand, tokenCreateCommand, settingsCommand];
