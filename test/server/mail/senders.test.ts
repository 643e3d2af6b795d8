import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, root } from '../../house/files.ts';

/** What sends mail, and why a stranger cannot make it send their words, or without end. */
const SENDERS: Readonly<Record<string, string>> = {
  'server/account/notice-summary-job.ts': 'fixed words and counts, to the owner alone, once a day',
  'server/corrections/delivery-job.ts': 'to the owner or confirmed addresses, the value without links, by quotas',
  'server/field-requests/callbacks/delivery-job.ts': 'to confirmed addresses, quoted, by quotas',
  'server/field-requests/callbacks/question.ts': 'fixed words, by quotas',
  'server/mail/account-notices.ts': 'fixed words and a quoted name, to the owner alone, ten a day',
  'server/watches/delivery-job.ts': 'to confirmed addresses, values of public data without links, by quotas',
  'server/provider/choose-password.ts': 'fixed words, limited by address and client',
};

it('every file that sends mail is one whose words and limits were thought about', () => {
  const sends = filesBelow('server').filter(file => /mailer\??\.send\(/.test(readFileSync(join(root, file), 'utf8')));
  expect(sends.sort()).toEqual(Object.keys(SENDERS).sort());
});
