import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../../query/engine/settings.ts';
import { configuredMailer } from '../../../server/mail/configured.ts';
import { MailRefused } from '../../../server/mail/mailer.ts';

/** What a mail server took over: envelope and message. */
const taken: { from: string; to: string[]; text: string; user: unknown }[] = [];
let port: number;
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, done) =>
    password === 'open sesame' ? done(null, { user: username }) : done(new Error('no')),
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith('gone') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
  onData(stream, { envelope, user }, done) {
    const pieces: Buffer[] = [];
    stream.on('data', piece => pieces.push(piece));
    stream.on('end', () => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      taken.push({ from, to, text: Buffer.concat(pieces).toString(), user });
      done();
    });
  },
});
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  port = (server.server.address() as AddressInfo).port;
});
afterAll(() => new Promise<void>(resolve => server.close(resolve)));

const mailerOf = (url: string, env: Record<string, string> = {}) =>
  configuredMailer(readSettings({ PLAT_SMTP_URL: url, PLAT_PUBLIC_URL: 'https://plat.example.org', ...env }), Date);

it('mail goes out by SMTP, signed in, to one address, as text that arrives whole', async () => {
  const mailer = mailerOf(`smtp://plat:open%20sesame@127.0.0.1:${port}`);
  expect(mailer.leaves).toBe(true);
  const text = `Grüße\n\nhttps://plat.example.org/password/new?code=${'x'.repeat(60)}\n.\nend`;
  await mailer.send({ to: 'ann@example.org', subject: 'Hello', text });
  mailer.close();
  expect(taken).toHaveLength(1);
  expect(taken[0]).toMatchObject({ from: 'plat@plat.example.org', to: ['ann@example.org'], user: 'plat' });
  const { text: sent } = taken[0]!;
  const end = sent.indexOf('\r\n\r\n');
  const [head, body] = [sent.slice(0, end), sent.slice(end + 4)];
  expect(head).toContain('Subject: Hello');
  expect(head).toContain('Content-Transfer-Encoding: quoted-printable');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  expect(Buffer.from(bytes, 'latin1').toString()).toContain('Grüße');
  expect(bytes).toContain(`?code=${'x'.repeat(60)}`);
});

it('mail that its receiver can end has the headers of RFC 8058, each on one line', async () => {
  taken.length = 0;
  const mailer = mailerOf(`smtp://plat:open%20sesame@127.0.0.1:${port}`);
  const stop = `https://plat.example.org/mail/stop?code=${'aB3-_'.repeat(32)}`;
  await mailer.send({ to: 'ann@example.org', subject: 'News', text: 'text', stop });
  await mailer.send({ to: 'ann@example.org', subject: 'Hello', text: 'text' });
  mailer.close();
  const [news, hello] = taken.map(({ text }) => text.replace(/\r\n[ \t]+/g, ' '));
  expect(news).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(/^List-Unsubscribe: +(\S+)\r$/m.exec(news!)![1]).toBe(`<${stop}>`);
  expect(hello).not.toContain('List-Unsubscribe');
});

it('an address that holds others is one address', async () => {
  taken.length = 0;
  const mailer = mailerOf(`smtp://plat:open%20sesame@127.0.0.1:${port}`, {
    PLAT_MAIL_FROM: 'The Survey <survey@example.org>',
  });
  for (const to of ['a@example.org, b@example.org', 'a@example.org\r\nBcc: b@example.org'])
    await mailer.send({ to, subject: 's', text: 't' }).catch(error => expect(error).toBeInstanceOf(MailRefused));
  mailer.close();
  for (const { from, to, text } of taken) {
    expect(from).toBe('survey@example.org');
    expect(to).toHaveLength(1);
    expect(text).not.toMatch(/^Bcc:/im);
  }
});

it('what is refused for good and what may be tried again are told apart', async () => {
  const refused = async (url: string, to: string) =>
    mailerOf(url)
      .send({ to, subject: 's', text: 't' })
      .catch(error => error);
  const gone = await refused(`smtp://127.0.0.1:${port}`, 'gone@example.org');
  expect(gone).toBeInstanceOf(MailRefused);
  expect(gone).toMatchObject({ retryable: false });
  expect(await refused('smtp://127.0.0.1:1', 'ann@example.org')).toMatchObject({ retryable: true });
  const login = await refused(`smtp://plat:wrong-password@127.0.0.1:${port}`, 'ann@example.org');
  expect(login).toBeInstanceOf(MailRefused);
  expect(JSON.stringify([login.message, login.stack])).not.toContain('wrong-password');
});

it('what is no mail server is refused, without repeating its password', () => {
  for (const url of ['https://u:hunter2@mail.example', 'mail.example', 'smtp://'])
    expect(() => mailerOf(url)).toThrow(/^PLAT_SMTP_URL: expected smtp:(?!.*hunter2)/);
});
