import type { FastifyReply, FastifyRequest } from 'fastify';
import { goneSignal } from '../../http/context.ts';
import { html } from '../../http/markup.ts';
import { MailRefused } from '../../mail/mailer.ts';
import { tokenStatus } from '../../state/agents/token-rows.ts';
import { browserSession } from '../browser-session.ts';
import { addressOfCode, choosePassword, type PasswordServices, sendPasswordLink } from '../choose-password.ts';
import type { EmbeddedProvider } from '../embedded.ts';
import { PASSWORD_LENGTH } from '../password.ts';
import { deviceCookie } from './device-cookie.ts';
import type { Form } from './interaction.ts';
import { TO_CONSOLE } from './own-sign-in.ts';
import { pageHeaders } from './page.ts';
import { askAddressPage, END_TOKENS_PATH, newPasswordPage, PASSWORD_PATH, tokensLeftPage } from './password-page.ts';
import { notePage } from './sign-in-page.ts';

const MOST_CODE = 64;
const AGAIN = html`<a href="${PASSWORD_PATH}">Ask for a new link</a>`;
const { least, most } = PASSWORD_LENGTH;

/** The pages for making an account and for a new password. */
export function passwordPages(services: PasswordServices, embedded: EmbeddedProvider) {
  const activeTokens = async (accountId: string) => {
    const now = services.clock.now() / 1000;
    return (await services.state.tokens(accountId)).filter(row => tokenStatus(row, now) === 'active');
  };
  const stale = (reply: FastifyReply) =>
    reply.code(410).send(notePage('Choose a password', 'This link was used, or is older than an hour.', AGAIN));
  const wait = (reply: FastifyReply, seconds: number) => reply.code(429).header('retry-after', seconds);
  return {
    async ask(_request: FastifyRequest, reply: FastifyReply) {
      return reply.headers(pageHeaders()).send(askAddressPage());
    },
    async send(request: FastifyRequest, reply: FastifyReply) {
      reply.headers(pageHeaders());
      const { email = '' } = request.body as Form;
      try {
        const answer = await sendPasswordLink(services, { email, ip: request.ip });
        if (answer === 'sent')
          return reply.send(
            notePage(
              'Look at your mail',
              `If ${email.trim()} is your address, a link is there. It is good for an hour.`,
            ),
          );
        if (answer.refused === 'wrong')
          return reply.code(422).send(askAddressPage('This is not an e-mail address.', email.slice(0, 254)));
        const message = `Messages were sent just now, and the link in each is good for an hour. For another one wait ${answer.seconds} seconds.`;
        return wait(reply, answer.seconds).send(askAddressPage(message, email));
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        request.log.error({ err: error }, 'mail could not be sent');
        if (!error.retryable)
          return reply.code(422).send(askAddressPage('No mail can be sent to this address.', email));
        return reply
          .code(503)
          .header('retry-after', 60)
          .send(askAddressPage('The link could not be sent: try again in a minute.', email));
      }
    },
    async open(request: FastifyRequest, reply: FastifyReply) {
      reply.headers(pageHeaders());
      const { code } = request.query as Record<string, unknown>;
      if (typeof code !== 'string' || code.length > MOST_CODE) return stale(reply);
      const email = await addressOfCode(services, code);
      return email === null ? stale(reply) : reply.send(newPasswordPage(email, code));
    },
    async set(request: FastifyRequest, reply: FastifyReply) {
      reply.headers(pageHeaders());
      const { code = '', password = '' } = request.body as Form;
      const email = code.length <= MOST_CODE ? await addressOfCode(services, code) : null;
      if (email === null) return stale(reply);
      const answer = await choosePassword(services, { code, password, signal: goneSignal(reply.raw) });
      if ('user' in answer) {
        (await deviceCookie(embedded, services.clock.now(), request, reply)).keep(answer.user);
        const browser = await browserSession(embedded, request, reply);
        await browser.begin(answer.user.id);
        request.log.info({ user: answer.user.id, client: request.ip }, 'somebody chose a password and signed in');
        const left = answer.account ? await activeTokens(answer.account.id) : [];
        if (left.length > 0) return reply.send(tokensLeftPage(left.length, browser.proof(END_TOKENS_PATH), TO_CONSOLE));
        return reply.redirect(TO_CONSOLE, 303);
      }
      const message =
        answer.refused === 'wait'
          ? `The server is busy: try again in ${answer.seconds} seconds.`
          : answer.refused === 'weak'
            ? answer.why
            : `A password has ${least} to ${most} characters.`;
      if (answer.refused === 'wait') wait(reply, answer.seconds);
      else reply.code(422);
      return reply.send(newPasswordPage(email, code, message));
    },
    /** Ends the API tokens and devices that outlived a new password. */
    async endTokens(request: FastifyRequest, reply: FastifyReply) {
      reply.headers(pageHeaders());
      const { proof = '' } = request.body as Form;
      const browser = await browserSession(embedded, request, reply);
      const account = browser.personId === null ? null : await embedded.people.account(browser.personId);
      if (!account || !browser.proves(proof, END_TOKENS_PATH))
        return reply.code(400).send(notePage('API tokens', 'This page is over. You can revoke tokens in the console.'));
      const at = Math.floor(services.clock.now() / 1000);
      for (const { jti } of await activeTokens(account.id))
        await services.state.revokeToken(jti, at, `account ${account.id}`);
      return reply.redirect(TO_CONSOLE, 303);
    },
  };
}
