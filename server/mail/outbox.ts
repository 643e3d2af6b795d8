import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { headersOf, type Mailer, MailRefused } from './mailer.ts';

/** The folder of messages, below PLAT_HOME. */
export const OUTBOX = 'outbox';

/**
 * Writes messages as files to a folder that only the owner can read; names sort by time. For a single machine and for
 * development.
 * @throws MailRefused when a message cannot be written.
 */
export function outboxMailer(home: string, clock: Clock): Mailer {
  const folder = join(home, OUTBOX);
  return {
    leaves: false,
    async send(message) {
      const { to, subject, text } = message;
      const date = new Date(clock.now());
      const name = `${date.toISOString().replaceAll(':', '')}-${randomUUID().slice(0, 8)}.txt`;
      const more = Object.entries(headersOf(message)).map(([header, value]) => `${header}: ${value}`);
      const lines = [`Date: ${date.toUTCString()}`, `To: ${to}`, `Subject: ${subject}`, ...more, '', text];
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Write under a hidden name first, so that nobody sees half a message.
        await writeFile(join(folder, `.${name}`), `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
        await rename(join(folder, `.${name}`), join(folder, name));
      } catch (error) {
        throw new MailRefused(error, true);
      }
    },
    close() {},
  };
}
