import type { Mailer } from './mail/mailer.ts';
import type { SafeClient } from './upstream/safe-client.ts';

/** How requesters are told what became of their requests. */
export interface Callbacks {
  /** Asks webhooks. */
  readonly client: SafeClient;
  readonly mailer: Mailer;
  /** Signs webhooks as Standard Webhooks say; null leaves them unsigned. */
  readonly secret: string | null;
  /** What the outside calls the server, without a slash at its end. */
  readonly publicUrl: string;
}
