import { createTransport } from 'nodemailer';
import { headersOf, type Mailer, MailRefused } from './mailer.ts';

/** Milliseconds that a mail server may take to connect, greet, and answer each command. */
const TIMEOUT_MS = 10_000;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Sends mail by SMTP.
 * @param url `smtp://` or `smtps://`, with user and password where the server wants them.
 * @param from sender.
 * @throws MailRefused when the server does not accept a message; it says whether to try again.
 */
export function smtpMailer(url: string, from: string): Mailer {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const { protocol, hostname } = new URL(url);
  // What passes a network is encrypted: a server that offers no TLS gets no mail.
  const requireTLS = protocol === 'smtp:' && !LOOPBACK.test(hostname);
  const transport = createTransport({ url, requireTLS, ...timeouts });
  return {
    leaves: true,
    async send(message) {
      const { to, subject, text } = message;
      const headers = headersOf(message);
      try {
        // Passed as an object, the address is not parsed as a list, so it cannot add recipients.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, headers });
      } catch (error) {
        const { responseCode = 0 } = error as { readonly responseCode?: number };
        throw new MailRefused(error, responseCode < 500);
      }
    },
    close: () => transport.close(),
  };
}
