import type { FastifyBaseLogger } from 'fastify';
import type { AskServices } from './ask/operation.ts';
import type { GuestService } from './auth/guest.ts';
import type { SessionService } from './auth/session.ts';
import type { TokenService } from './auth/token.ts';
import type { ChangesServices } from './changes/operation.ts';
import type { Services } from './context.ts';
import type { FieldRequestServices } from './field-requests/filing.ts';
import type { Lifecycle } from './health/operation.ts';
import type { Limits } from './limits.ts';
import type { ListServices } from './listing/page.ts';
import type { LookupServices } from './lookup/operation.ts';
import type { MailLinks } from './mail/links.ts';
import type { Mailer } from './mail/mailer.ts';
import type { MemoryWatch } from './memory/memory-watch.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { AccessTokens } from './oauth/access-token.ts';
import type { OgcServices } from './ogc/route.ts';
import type { TermsInForce } from './onboarding/terms.ts';
import type { OperatorServices } from './operator/operation.ts';
import type { EmbeddedProvider } from './provider/embedded.ts';
import type { ProximityServices } from './proximity/operation.ts';
import type { ReceiptKeys } from './receipts/keys.ts';
import type { Replica } from './replica/replica-state.ts';
import type { SearchServices } from './search/operation.ts';
import type { SecurityContact } from './security/route.ts';
import type { Imagery } from './tiles/imagery.ts';
import type { Tracer } from './trace/tracer.ts';

/** All services that the routes use. */
export interface AppServices extends Services, OperatorServices {
  readonly tokens: TokenService;
  readonly sessions: SessionService;
  /** OAuth access tokens for /mcp. */
  readonly accessTokens: AccessTokens;
  readonly embedded: EmbeddedProvider;
  /** Null where no guests are let in. */
  readonly guests: GuestService | null;
  readonly mailer: Mailer;
  readonly mailLinks: MailLinks;
  /** Keeps the process within its memory; null or absent when nothing does. */
  readonly memory?: MemoryWatch | null;
  /** The address under which clients reach the server, without a slash at its end. */
  readonly publicUrl: string;
  /** Aerial pictures that the map may show; null or absent for none. */
  readonly imagery?: Imagery | null;
  /** The terms that must be accepted to set up an agent. */
  readonly terms: TermsInForce;
  /** Where faults are reported. */
  readonly security: SecurityContact;
  /** Other origins whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  readonly limits: Limits;
  readonly search: SearchServices;
  readonly changes: ChangesServices;
  /** Signs answers of which somebody wants a receipt. */
  readonly receiptKeys: ReceiptKeys;
  readonly ogc: OgcServices;
  readonly lists: ListServices;
  readonly lookup: LookupServices;
  readonly ask: AskServices;
  readonly proximity: ProximityServices;
  readonly fieldRequests: FieldRequestServices;
  readonly lifecycle: Lifecycle;
  /** Null or absent when releases are those of the home alone. */
  readonly replica?: Pick<Replica, 'state'> | null;
  /** Without it the traces of callers are logged and passed on, and none is exported. */
  readonly tracer?: Tracer;
  /** Null when metrics are off. */
  readonly metrics: Metrics | null;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Whether plans limit requests a minute. */
  readonly rateLimit: boolean;
  /** Without it nothing is logged. */
  readonly logger?: FastifyBaseLogger;
}
