import type { Settings } from '../../query/engine/settings.ts';
import type { Clock } from '../clock.ts';
import { publicUrlOf } from '../public-url.ts';
import type { Mailer } from './mailer.ts';
import { outboxMailer } from './outbox.ts';
import { smtpMailer } from './smtp.ts';

/** Makes the mailer that the settings name. */
export function configuredMailer(
  settings: Pick<Settings, 'home' | 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'port'>,
  clock: Clock,
): Mailer {
  if (settings.smtpUrl === '') return outboxMailer(settings.home, clock);
  return smtpMailer(settings.smtpUrl, settings.mailFrom || `Plat <plat@${new URL(publicUrlOf(settings)).hostname}>`);
}
