import type { MailLinks } from './mail/links.ts';
import type { Mailer } from './mail/mailer.ts';
import type { SafeClient } from './upstream/safe-client.ts';

/** What is needed to tell requesters about their requests. */
export interface Callbacks {
  /** The HTTP client for webhooks. */
  readonly client: SafeClient;
  readonly mailer: Mailer;
  readonly mailLinks: MailLinks;
  /** Signs webhooks by the Standard Webhooks specification; null leaves them unsigned. */
  readonly secret: string | null;
  /** The address under which clients reach the server, without a slash at its end. */
  readonly publicUrl: string;
}
