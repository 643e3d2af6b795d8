import { hostname } from 'node:os';
import type { Command } from '../../../query/engine/command.ts';
import { keepLogin, loginStores } from '../logins.ts';
import { serviceOf } from '../service-address.ts';
import { logInByCode, logInByDevice } from '../service-client.ts';

const MOST_NAME = 64;

/** `plat login`. */
export const loginCommand: Command = {
  name: 'login',
  example: 'plat login',
  summary: 'Log in to a service (PLAT_URL) in a browser, for plat mcp',
  options: [
    {
      flags: '--connect-code <code>',
      description: 'Use the connect code that was shown where the terms were accepted, instead of a browser.',
    },
  ],
  async run(_args, { connectCode }, terminal) {
    const { service } = serviceOf('login');
    const name = `plat on ${hostname()}`.slice(0, MOST_NAME);
    const login =
      typeof connectCode === 'string'
        ? await logInByCode(service, connectCode)
        : await logInByDevice(service, name, started => {
            terminal.err(`Open ${started.verification_uri_complete}`);
            terminal.err(`and allow the login if it shows the code ${started.user_code}. Waiting…`);
          });
    const place = await keepLogin(service, login, loginStores());
    terminal.out(
      terminal.json
        ? JSON.stringify({ service, kept_in: place, attempt_id: login.attemptId })
        : `Logged in to ${service}; the token is in ${place}. Next: plat mcp install`,
    );
    return 0;
  },
};
