import type { Command } from '../../query/engine/command.ts';
import { loginCommand } from './commands/login.ts';
import { logoutCommand } from './commands/logout.ts';
import { mcpCommand } from './commands/mcp.ts';
import { mcpInstallCommand } from './commands/mcp-install.ts';

/** Commands for users of a service. They talk to it over HTTP and load nothing of the server, but for the skill. */
export const commands: readonly Command[] = [loginCommand, logoutCommand, mcpCommand, mcpInstallCommand];
