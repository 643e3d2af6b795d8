import { type Command, UsageError } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { requireEmail } from './email.ts';

/** `plat session create`: only the ID token goes to stdout, so that it can be assigned to a variable. */
export const sessionCreateCommand: Command = {
  name: 'session create',
  example: 'plat session create --account you@example.org',
  summary: 'Issue a browser session (one hour) of an account at the embedded provider, without its password',
  options: [
    { flags: '--account <email>', description: 'E-mail address of the account (required); made at first use.' },
  ],
  async run(_args, { account: given }, terminal) {
    const email = requireEmail('session create', given);
    const settings = readSettings(process.env);
    if (settings.oidcIssuer !== '')
      throw new UsageError(
        'session create: PLAT_OIDC_ISSUER names another provider, and only the embedded one is at hand: sign in there',
      );
    const [{ keptSecret }, { embeddedProvider }, { publicUrlOf }, { SESSION_SECONDS }, { openState, requireSecrets }] =
      await Promise.all([
        import('../auth/secret.ts'),
        import('../provider/embedded.ts'),
        import('../public-url.ts'),
        import('../provider/id-token.ts'),
        import('../state/open.ts'),
      ]);
    requireSecrets(settings, ['tokenSecret']);
    const state = await openState(settings.home, settings.stateUrl);
    try {
      const secret = settings.tokenSecret ?? keptSecret(settings.home, 'token');
      const terms = { issuer: publicUrlOf(settings), audience: settings.oidcAudience };
      const session = await embeddedProvider(terms, secret, state, Date).issue(email);
      const told = { session, account: email.toLowerCase(), server: terms.issuer, expires_in_seconds: SESSION_SECONDS };
      terminal.out(terminal.json ? JSON.stringify(told) : session);
      // Another server refuses it: its port is in the name of who issued it.
      terminal.err(`For the server at ${terms.issuer} alone; PORT or PLAT_PUBLIC_URL names another`);
      return 0;
    } finally {
      await state.close();
    }
  },
};
