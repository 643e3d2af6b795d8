import type { Command } from '../../../query/engine/command.ts';
import { findLogin, loginStores } from '../logins.ts';
import { serviceOf } from '../service-address.ts';
import { tellProgress } from '../service-client.ts';

/** `plat mcp`: stdout belongs to the protocol. */
export const mcpCommand: Command = {
  name: 'mcp',
  example: 'plat mcp',
  summary: 'Serve the tools of a service (PLAT_URL) to an agent over stdio',
  options: [],
  async run(_args, _options, terminal) {
    const { service, token } = serviceOf('mcp');
    const login = token === null ? await findLogin(service, loginStores()) : { token, attemptId: null };
    if (!login) {
      terminal.err(`Not logged in to ${service}: run plat login, or give a token in PLAT_TOKEN`);
      return 1;
    }
    const { adapt, connectService } = await import('../adapter.ts');
    const client = await connectService(service, login).catch((error: Error) => {
      const refused = /\b401\b|nauthorized|invalid_token/.test(`${error.name} ${error.message}`);
      throw new Error(refused ? `${service} refuses the token: run plat login` : `${service}/mcp: ${error.message}`);
    });
    void tellProgress(service, login, { stage: 'verified' });
    await adapt(client, line => terminal.err(line));
    await client.close();
    return 0;
  },
};
