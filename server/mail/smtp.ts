import { createTransport } from 'nodemailer';
import { type Mailer, MailRefused } from './mailer.ts';

/** Milliseconds that a mail server may take to connect, greet, and answer each command. */
const TIMEOUT_MS = 10_000;

/**
 * Mail by SMTP.
 * @param url `smtp://` or `smtps://`, with user and password where the server wants them.
 * @param from sender.
 * @throws MailRefused when a server does not take a message, which says whether to try again.
 */
export function smtpMailer(url: string, from: string): Mailer {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url, ...timeouts });
  return {
    leaves: true,
    async send({ to, subject, text }) {
      try {
        // As an object the address is no list: what stands in it names nobody else.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
      } catch (error) {
        const { responseCode = 0 } = error as { readonly responseCode?: number };
        throw new MailRefused(error, responseCode < 500);
      }
    },
    close: () => transport.close(),
  };
}
