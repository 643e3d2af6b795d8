import type { Settings } from '../../query/engine/settings.ts';
import type { Clock } from '../clock.ts';
import { publicUrlOf } from '../public-url.ts';
import type { Mailer } from './mailer.ts';
import { outboxMailer } from './outbox.ts';

/** Makes the mailer that the settings name. */
export async function configuredMailer(
  settings: Pick<Settings, 'home' | 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'port'>,
  clock: Clock,
): Promise<Mailer> {
  if (settings.smtpUrl === '') return outboxMailer(settings.home, clock);
  const { smtpMailer } = await import('./smtp.ts');
  return smtpMailer(settings.smtpUrl, settings.mailFrom || `Plat <plat@${new URL(publicUrlOf(settings)).hostname}>`);
}
