import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readSettings } from '../../../query/engine/settings.ts';
import { configuredMailer } from '../../../server/mail/configured.ts';
import { OUTBOX } from '../../../server/mail/outbox.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-outbox-'));
afterAll(() => rmSync(home, { recursive: true }));

it('without a mail server messages are files that only the owner reads, in the order of their names', async () => {
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const mailer = configuredMailer(readSettings({ PLAT_HOME: home }), { now: () => now++ });
  expect(mailer.leaves).toBe(false);
  for (const text of ['first', 'second']) await mailer.send({ to: 'ann@example.org', subject: 'Hello', text });
  const folder = join(home, OUTBOX);
  const names = readdirSync(folder).sort();
  expect(names).toHaveLength(2);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, names[0]!)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, names[0]!), 'utf8')).toBe(
    'Date: Fri, 02 Jan 2026 03:04:05 GMT\nTo: ann@example.org\nSubject: Hello\n\nfirst\n',
  );
  expect(readFileSync(join(folder, names[1]!), 'utf8')).toContain('second');
});

it('a folder that cannot be written refuses, and says that it may be tried again', async () => {
  writeFileSync(join(home, 'file'), '');
  const mailer = configuredMailer(readSettings({ PLAT_HOME: join(home, 'file') }), Date);
  const error = await mailer.send({ to: 'ann@example.org', subject: 's', text: 't' }).catch(refused => refused);
  expect(error).toMatchObject({ name: 'MailRefused', retryable: true });
});
