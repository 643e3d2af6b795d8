import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { html } from '../http/markup.ts';
import { type BrowserSession, browserSession } from '../provider/browser-session.ts';
import { DEVICE_PATH } from '../provider/clients.ts';
import type { EmbeddedProvider } from '../provider/embedded.ts';
import { OPENID_PATHS } from '../provider/openid.ts';
import { formScope } from '../provider/pages/form-scope.ts';
import type { Form } from '../provider/pages/interaction.ts';
import { pageHeaders } from '../provider/pages/page.ts';
import { notePage } from '../provider/pages/sign-in-page.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import type { StateStore } from '../state/store.ts';
import { approvalPage, codePage } from './device-page.ts';
import { userCodeHash } from './operation.ts';

const MOST_CODE = 32;
/** Codes that one account may try in a window, so that nobody can guess another's. */
const TRIES = { most: 20, lengthMs: 15 * 60 * 1000 } as const;
const NO_MORE = html`You may close this page.`;

/** Formats a code as devices show it. */
const shown = (typed: string): string => {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
};

/** The visitor of a page, known by the sign-in of the browser. */
interface Visitor {
  readonly accountId: string;
  readonly email: string;
  readonly browser: BrowserSession;
}

/** The URL of a sign-in that returns here, with the user code as its state. Its authorization code is not used. */
const signIn = ({ issuer, audience }: EmbeddedProvider, userCode: string): string =>
  `${OPENID_PATHS.authorization}?${new URLSearchParams({
    client_id: audience,
    response_type: 'code',
    scope: 'openid email',
    redirect_uri: `${issuer}${DEVICE_PATH}`,
    state: userCode,
    code_challenge: digestOf(randomBytes(32).toString('base64url')),
    code_challenge_method: 'S256',
  })}`;

/** The page on which a signed-in user approves a login of the device flow. */
export function devicePages(
  app: FastifyInstance,
  {
    embedded,
    state,
    clock,
  }: { readonly embedded: EmbeddedProvider; readonly state: StateStore; readonly clock: Clock },
): void {
  const visitorOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Visitor | null> => {
    const browser = await browserSession(embedded, request, reply);
    const account = browser.personId === null ? null : await embedded.people.account(browser.personId);
    return account && { accountId: account.id, email: account.email, browser };
  };
  /** Whether an account has tried too many codes. */
  const tooMany = async ({ accountId }: Visitor) =>
    (await state.attempts.count(`device code:${accountId}`, clock.now(), TRIES.lengthMs)) > TRIES.most;

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const { user_code: given, state: returned, code, error } = request.query as Readonly<Record<string, unknown>>;
    const typed = [given, returned].find(text => typeof text === 'string' && text.length <= MOST_CODE);
    const userCode = typeof typed === 'string' ? typed : '';
    reply.headers(pageHeaders());
    const visitor = await visitorOf(request, reply);
    if (!visitor) {
      // The browser returned without a sign-in: the user cancelled it, or the browser keeps no cookies.
      if (code !== undefined || error !== undefined)
        return reply.code(400).send(notePage('Not signed in', 'Nobody was signed in, so that nothing was approved.'));
      return reply.redirect(signIn(embedded, userCode), 303);
    }
    // Only the user's own click opens a code in the address bar again and again.
    if (userCode === '') return reply.send(codePage());
    if (await tooMany(visitor)) return reply.code(429).send(codePage('Too many codes: wait a quarter of an hour.'));
    const pending = await state.deviceCodes.pending(userCodeHash(userCode), clock.now());
    if (!pending)
      return reply.code(404).send(codePage('No login waits for this code. It is good for 15 minutes.', userCode));
    const proof = visitor.browser.proof('device', userCodeHash(userCode));
    return reply.send(approvalPage(pending, { userCode: shown(userCode), email: visitor.email, proof }));
  };

  const decide = async (request: FastifyRequest, reply: FastifyReply) => {
    const { user_code: userCode = '', proof = '', allow, cancel } = request.body as Form;
    reply.headers(pageHeaders());
    const visitor = await visitorOf(request, reply);
    const isProven = visitor?.browser.proves(proof, 'device', userCodeHash(userCode));
    if (!visitor || !isProven || (!allow && !cancel))
      return reply
        .code(400)
        .send(notePage('Log a device in', 'Open the address that your device shows again.', NO_MORE));
    const allowed = allow !== undefined && cancel === undefined;
    if (!(await state.deviceCodes.decide(userCodeHash(userCode), visitor.accountId, allowed, clock.now())))
      return reply.code(409).send(notePage('Log a device in', 'This login is over, or was decided already.', NO_MORE));
    return reply.send(
      allowed
        ? notePage('Your device is logged in', 'It goes on by itself in a few seconds.', NO_MORE)
        : notePage('Refused', 'Your device was told so.', NO_MORE),
    );
  };

  formScope(app, scope => {
    const schema = { hide: true };
    scope.get(DEVICE_PATH, { schema }, show);
    scope.post(DEVICE_PATH, { schema }, decide);
  });
}
