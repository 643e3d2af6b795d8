import type { Command } from '../../../query/engine/command.ts';
import { findLogin, forgetLogin, loginStores } from '../logins.ts';
import { serviceOf } from '../service-address.ts';
import { revokeLogin } from '../service-client.ts';

/** `plat logout`. */
export const logoutCommand: Command = {
  name: 'logout',
  example: 'plat logout',
  summary: 'Revoke the token of a login to a service (PLAT_URL) and forget it',
  options: [{ flags: '--keep-token', description: 'Only forget it here: the service does not answer any more.' }],
  async run(_args, { keepToken }, terminal) {
    const { service } = serviceOf('logout');
    const stores = loginStores();
    const login = await findLogin(service, stores);
    if (login && keepToken !== true) await revokeLogin(service, login);
    await forgetLogin(service, stores);
    const revoked = login !== null && keepToken !== true;
    terminal.out(
      terminal.json
        ? JSON.stringify({ service, was_logged_in: login !== null, revoked })
        : login === null
          ? `You were not logged in to ${service}`
          : `Logged out of ${service}`,
    );
    return 0;
  },
};
