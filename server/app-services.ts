import type { FastifyBaseLogger } from 'fastify';
import type { AskServices } from './ask/operation.ts';
import type { SessionService } from './auth/session.ts';
import type { TokenService } from './auth/token.ts';
import type { ChangesServices } from './changes/operation.ts';
import type { Services } from './context.ts';
import type { FieldRequestServices } from './field-requests/filing.ts';
import type { Lifecycle } from './health/operation.ts';
import type { Limits } from './limits.ts';
import type { LookupServices } from './lookup/operation.ts';
import type { Mailer } from './mail/mailer.ts';
import type { MemoryWatch } from './memory/memory-watch.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { AccessTokens } from './oauth/access-token.ts';
import type { TermsInForce } from './onboarding/terms.ts';
import type { EmbeddedProvider } from './provider/embedded.ts';
import type { ProximityServices } from './proximity/operation.ts';
import type { SearchServices } from './search/operation.ts';

/** Everything the routes are built over. */
export interface AppServices extends Services {
  readonly tokens: TokenService;
  readonly sessions: SessionService;
  /** Of OAuth, for /mcp. */
  readonly accessTokens: AccessTokens;
  readonly embedded: EmbeddedProvider;
  readonly mailer: Mailer;
  /** Holds the process to its memory; null where nobody does. */
  readonly memory?: MemoryWatch | null;
  /** What the outside calls the server, without a slash at its end. */
  readonly publicUrl: string;
  /** What whoever sets an agent up accepts. */
  readonly terms: TermsInForce;
  /** Whose pages may ask, beside this server's own. */
  readonly corsOrigins: readonly string[];
  readonly limits: Limits;
  readonly search: SearchServices;
  readonly changes: ChangesServices;
  readonly lookup: LookupServices;
  readonly ask: AskServices;
  readonly proximity: ProximityServices;
  readonly fieldRequests: FieldRequestServices;
  readonly lifecycle: Lifecycle;
  /** Null when nobody asks for metrics. */
  readonly metrics: Metrics | null;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Whether requests a minute are limited by plan. */
  readonly rateLimit: boolean;
  /** Silent when missing. */
  readonly logger?: FastifyBaseLogger;
}
