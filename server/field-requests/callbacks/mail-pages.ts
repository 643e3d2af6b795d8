import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';
import { html } from '../../http/markup.ts';
import { CONFIRM_PATH, type MailLinks, STOP_PATH } from '../../mail/links.ts';
import { formScope } from '../../provider/pages/form-scope.ts';
import type { Form } from '../../provider/pages/interaction.ts';
import { page, pageHeaders } from '../../provider/pages/page.ts';
import { notePage } from '../../provider/pages/sign-in-page.ts';
import type { StateStore } from '../../state/store.ts';
import { deliveryOf } from './news.ts';

const CONFIRM_TITLE = 'News about field requests and watches';
const STOP_TITLE = 'Mail about field requests and watches';
const NO_MORE = html`You may close this page.`;

/** A page with a question and one button. @param more a hidden field that says what the button means. */
const questionPage = (
  title: string,
  question: string,
  { path, code, button, more = '' }: { path: string; code: string; button: string; more?: string },
): string =>
  page(
    title,
    html`<p>${question}</p>
<form method="post" action="${path}">
<input type="hidden" name="code" value="${code}">
${more === '' ? '' : html`<input type="hidden" name="${more}" value="yes">`}
<p><button type="submit">${button}</button></p>
</form>`,
  );

/**
 * The pages behind the links in mails about field requests and watches. A GET changes nothing, because programs that look for
 * malware open every link; the button sends a POST. A POST to the link itself is the one click of RFC 8058.
 * @param confirmed is told of an address that was confirmed for an account: what else is held for it is sent.
 */
export function mailPages(
  app: FastifyInstance,
  { state, clock, mailLinks }: { readonly state: StateStore; readonly clock: Clock; readonly mailLinks: MailLinks },
  confirmed: (accountId: string, address: string, now: number) => Promise<void>,
): void {
  const codeOf = (request: { readonly query: unknown; readonly body: unknown }): string => {
    const codes = [(request.body as Form | undefined)?.code, (request.query as Readonly<Record<string, unknown>>).code];
    return codes.find(code => typeof code === 'string') ?? '';
  };
  const stale = (title: string) => notePage(title, 'This link is incomplete, or too old.', NO_MORE);

  formScope(app, scope => {
    // Mail programs may send the one click of RFC 8058 in this form. All that is needed stands in the URL.
    scope.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, _body, done) => done(null, {}));
    const schema = { hide: true };

    scope.get(CONFIRM_PATH, { schema }, async (request, reply) => {
      reply.headers(pageHeaders());
      const code = codeOf(request);
      const confirmation = mailLinks.confirmation(code, clock.now());
      const email = confirmation && (await state.fieldRequests.mailRequester(confirmation.accountId));
      if (email === null) return reply.code(410).send(stale(CONFIRM_TITLE));
      const question = `The account ${email} files field requests or watches places here, and asks that you are told what becomes of them, at the address to which this link was sent. You can end it at any time.`;
      return reply.send(questionPage(CONFIRM_TITLE, question, { path: CONFIRM_PATH, code, button: 'Allow it' }));
    });
    scope.post(CONFIRM_PATH, { schema }, async (request, reply) => {
      reply.headers(pageHeaders());
      const now = clock.now();
      const confirmation = mailLinks.confirmation(codeOf(request), now);
      if (!confirmation) return reply.code(410).send(stale(CONFIRM_TITLE));
      const { accountId, address } = confirmation;
      await state.fieldRequests.confirmMail(accountId, address, now, deliveryOf);
      await confirmed(accountId, address, now);
      return reply.send(notePage(CONFIRM_TITLE, 'Your address is confirmed: the news comes there.', NO_MORE));
    });

    const stopped = (code: string) =>
      questionPage(STOP_TITLE, 'No more mail about field requests and watches comes to your address.', {
        path: STOP_PATH,
        code,
        button: 'Get it again',
        more: 'resume',
      });
    scope.get(STOP_PATH, { schema }, async (request, reply) => {
      reply.headers(pageHeaders());
      const code = codeOf(request);
      const mailbox = mailLinks.mailbox(code, clock.now());
      if (mailbox === null) return reply.code(410).send(stale(STOP_TITLE));
      if (await state.fieldRequests.isMailStopped(mailbox)) return reply.send(stopped(code));
      const question = 'Shall no more mail about field requests and watches come to your address, whoever makes them?';
      return reply.send(questionPage(STOP_TITLE, question, { path: STOP_PATH, code, button: 'No more mail' }));
    });
    scope.post(STOP_PATH, { schema }, async (request, reply) => {
      reply.headers(pageHeaders());
      const code = codeOf(request);
      const now = clock.now();
      const mailbox = mailLinks.mailbox(code, now);
      if (mailbox === null) return reply.code(410).send(stale(STOP_TITLE));
      if ((request.body as Form).resume !== undefined) {
        await state.fieldRequests.resumeMail(mailbox);
        return reply.send(notePage(STOP_TITLE, 'Mail that you have allowed comes again.', NO_MORE));
      }
      await state.fieldRequests.stopMail(mailbox, now);
      return reply.send(stopped(code));
    });
  });
}
