import { GEOCODER_SETTINGS } from './setting/geocoder-settings.ts';
import { MAP_SETTINGS } from './setting/map-settings.ts';
import { REPLICA_SETTINGS } from './setting/replica-settings.ts';
import {
  choice,
  contacts,
  hiddenText,
  integer,
  mailServer,
  networks,
  origins,
  type Setting,
  secret,
  signingSecret,
  text,
  trustedUrl,
  url,
} from './setting/setting.ts';
import { SOURCE_LIMITS } from './setting/source-limits.ts';

/** Every setting of Plat. A test fails when code reads an environment variable that is not here, or docs lack one. */
export const SETTINGS = {
  home: text('PLAT_HOME', '.plat', 'Folder of releases, state and secrets, relative to the working directory.'),
  host: text('HOST', '127.0.0.1', 'Address the server listens on.'),
  port: integer('PORT', 8080, 0, 65535, 'Port the server listens on; 0 takes a free one.'),
  processes: integer(
    'PLAT_PROCESSES',
    1,
    1,
    256,
    'Processes that share the port, for machines whose cores one thread that speaks HTTP cannot keep busy. Workers, memory, queue, connections and concurrency are of each.',
  ),
  workers: integer('PLAT_WORKERS', 2, 1, 256, 'Worker threads that answer queries.'),
  queue: integer('PLAT_QUEUE', 256, 1, 1_000_000, 'Requests that may wait for a worker before fetch_busy is answered.'),
  memory: integer(
    'PLAT_MEMORY_MB',
    1536,
    16,
    1_000_000,
    'Megabytes that a serving process may take beyond what it takes idle: half for what workers keep of files and matches, a fifth for what the serving thread keeps, an eighth for bodies and answers on their way, 64 at most for the response cache of fetch; when all of it grows past that, caches are emptied and large answers wait (operations.md). A thread that computes overlays keeps a twenty-fourth.',
  ),
  stateUrl: hiddenText(
    'PLAT_STATE_URL',
    'State store: postgres://USER:PASSWORD@HOST:PORT/DATABASE, which several servers may share and which needs both secrets given; empty for the SQLite file PLAT_HOME/state.sqlite.',
  ),
  tokenSecret: secret('PLAT_TOKEN_SECRET', 'Signs API tokens (HS256); at least 32 characters.'),
  cursorSecret: secret('PLAT_CURSOR_SECRET', 'Encrypts search cursors; at least 32 characters.'),
  ...MAP_SETTINGS,
  ...REPLICA_SETTINGS,
  siting: choice(
    'PLAT_SITING',
    'off',
    ['on', 'off'],
    'Whether an ingest calculates what the templates of buildable ground leave of each parcel, so that counts and ranks can ask for it. That takes several times what all other calculations of a parcel take.',
  ),
  jobs: choice(
    'PLAT_JOBS',
    'on',
    ['on', 'off'],
    'Whether a server works on jobs beside answering; off where `plat work` does.',
  ),
  rateLimit: choice(
    'PLAT_RATE_LIMIT',
    'on',
    ['on', 'off'],
    'Requests a minute by plan; off for benches and private installations.',
  ),
  guests: choice(
    'PLAT_GUESTS',
    'off',
    ['on', 'off'],
    'Whether the pages may be looked at without an account: they then fetch a token of an hour that reads the fields of presets and suggestions, limited by client address (security.md). `make run` sets it on.',
  ),
  log: choice('PLAT_LOG', 'info', ['silent', 'error', 'warn', 'info', 'debug'], 'How much the server logs.'),
  logFile: text('PLAT_LOG_FILE', '', 'File that the log of the server is added to; empty is stderr.'),
  fetchCache: choice('PLAT_FETCH_CACHE', 'on', ['on', 'off'], 'The 24-hour response cache of fetch values.'),
  searchBatch: integer('PLAT_SEARCH_BATCH', 1000, 1, 1_000_000, 'Candidates a search reads at once.'),
  searchMaxCandidates: integer(
    'PLAT_SEARCH_MAX_CANDIDATES',
    0,
    0,
    1_000_000_000,
    'Candidates one page of a search may read before it ends with work_limit; 0 is no ceiling.',
  ),
  searchMaxEvaluated: integer(
    'PLAT_SEARCH_MAX_EVALUATED',
    0,
    0,
    1_000_000_000,
    'Parcels one page of a search may judge by their boundary before it ends with work_limit; 0 is no ceiling.',
  ),
  searchMaxVertices: integer(
    'PLAT_SEARCH_MAX_VERTICES',
    10_000,
    4,
    1_000_000,
    'Vertices over all areas of one search, closing ones counted.',
  ),
  searchMaxKm2: integer('PLAT_SEARCH_MAX_KM2', 1_000_000, 1, 600_000_000, 'Square kilometers of one area of a search.'),
  ...GEOCODER_SETTINGS,
  lookupConcurrency: integer(
    'PLAT_LOOKUP_CONCURRENCY',
    64,
    1,
    100_000,
    'Lookups a server works on at once. As many wait before resolve_busy is answered.',
  ),
  routing: choice(
    'PLAT_ROUTING',
    'embedded',
    ['embedded', 'osrm', 'valhalla'],
    'What drive times come from: the road graph of the release, or a provider over HTTP that speaks the protocol of OSRM (`table`) or Valhalla (`sources_to_targets`).',
  ),
  routingUrl: url('PLAT_ROUTING_URL', '', 'Address of that provider, without query, such as http://127.0.0.1:5000.'),
  routingKey: hiddenText(
    'PLAT_ROUTING_KEY',
    'Credential of that provider, sent as its parameter `api_key`; `none` for one of your own that asks for none.',
  ),
  routingBudget: integer(
    'PLAT_ROUTING_BUDGET',
    0,
    0,
    1_000_000_000,
    'Driving calculations of that provider a calendar month (UTC) over all servers of the state store; then proximity_budget_exhausted. 0 is no ceiling.',
  ),
  routingTimeout: integer(
    'PLAT_ROUTING_TIMEOUT_MS',
    10_000,
    100,
    30_000,
    'Milliseconds that the provider may take for one answer.',
  ),
  proximityConcurrency: integer(
    'PLAT_PROXIMITY_CONCURRENCY',
    32,
    1,
    100_000,
    'Proximity requests a server works on at once. As many wait before proximity_busy is answered.',
  ),
  askConcurrency: integer(
    'PLAT_ASK_CONCURRENCY',
    32,
    1,
    100_000,
    'Questions in plain language a server answers at once. As many wait before ask_busy is answered.',
  ),
  askModel: choice(
    'PLAT_ASK_MODEL',
    'embedded',
    ['embedded', 'anthropic', 'openai'],
    'What plans and writes answers: the program itself, or a language model by the Messages protocol or that of OpenAI, which local servers speak too (ask.md).',
  ),
  askUrl: url(
    'PLAT_ASK_URL',
    '',
    'Address of the language model, such as http://127.0.0.1:11434/v1; empty is that of the provider.',
  ),
  askKey: hiddenText('PLAT_ASK_KEY', 'Credential of the language model; a local server may want none.'),
  askModelName: text('PLAT_ASK_MODEL_NAME', '', 'Name of the language model, as its provider calls it.'),
  publicUrl: trustedUrl(
    'PLAT_PUBLIC_URL',
    'What the outside calls this server, such as https://plat.example.org; empty is http://127.0.0.1:PORT.',
    'origin',
  ),
  oidcIssuer: trustedUrl(
    'PLAT_OIDC_ISSUER',
    'Issuer of the OpenID provider whose ID tokens are sessions, exactly as its tokens name it; empty for the embedded provider.',
    'issuer',
  ),
  oidcAudience: text(
    'PLAT_OIDC_AUDIENCE',
    '',
    "Audience of those ID tokens, the provider's client id for Plat; needed with PLAT_OIDC_ISSUER, otherwise empty is plat.",
  ),
  oidcClientSecret: hiddenText(
    'PLAT_OIDC_CLIENT_SECRET',
    'Secret that the provider at PLAT_OIDC_ISSUER gave to that client, for signing in to agents and devices; empty for a public client.',
  ),
  oidcProviderClaim: text(
    'PLAT_OIDC_PROVIDER_CLAIM',
    'firebase.sign_in_provider,sign_in_provider',
    'Claim that says how somebody signed in, a name or a path with dots; of several, separated by commas, the first that a token has counts.',
  ),
  oidcProviders: text(
    'PLAT_OIDC_PROVIDERS',
    'google.com,password',
    'Ways to sign in that are let in; several are separated by commas.',
  ),
  corsOrigins: origins(
    'PLAT_CORS_ORIGINS',
    'Origins, by commas, whose pages may ask this server, such as https://app.example.org; * for all. Without it browsers keep pages of other origins out.',
  ),
  securityContact: contacts(
    'PLAT_SECURITY_CONTACT',
    'Where faults of this installation are reported, by commas, the preferred one first: mailto:security@example.org, https://example.org/report, or tel:. Without it there is no /.well-known/security.txt.',
  ),
  securityAnswerDays: integer(
    'PLAT_SECURITY_ANSWER_DAYS',
    7,
    1,
    90,
    'Days within which such a report is answered, as /.well-known/security.txt says.',
  ),
  securityPolicy: trustedUrl(
    'PLAT_SECURITY_POLICY',
    'Where the rules for such reports are read, an https URL; empty names none.',
    'issuer',
  ),
  smtpUrl: mailServer(
    'PLAT_SMTP_URL',
    'Mail server: smtps://USER:PASSWORD@HOST:465, or smtp://HOST:PORT (`?requireTLS=true` insists on STARTTLS); empty writes messages to PLAT_HOME/outbox.',
  ),
  mailFrom: text('PLAT_MAIL_FROM', '', 'Sender of mail; empty is Plat <plat@HOST of PLAT_PUBLIC_URL>.'),
  termsFile: text(
    'PLAT_TERMS_FILE',
    '',
    "The operator's own terms for people who set an agent up, in Markdown: the name of the file without its ending is their version, whose words never change again; empty for those that come with Plat.",
  ),
  webhookSecret: signingSecret(
    'PLAT_WEBHOOK_SECRET',
    'Signs webhooks of field requests as Standard Webhooks say: whsec_ and 24 to 64 bytes in base64, such as that of `openssl rand -base64 32`; empty leaves them unsigned.',
  ),
  serviceUrl: url(
    'PLAT_URL',
    'http://127.0.0.1:8080',
    'Address of the service that plat login, plat logout and plat mcp talk to.',
  ),
  serviceToken: hiddenText(
    'PLAT_TOKEN',
    'API token for plat mcp instead of that of plat login, for machines that nobody logs in on.',
  ),
  bodyLimit: integer(
    'PLAT_BODY_LIMIT',
    1_048_576,
    1024,
    1_073_741_824,
    'Largest request body in bytes; larger ones get 413.',
  ),
  requestTimeout: integer(
    'PLAT_REQUEST_TIMEOUT_MS',
    30_000,
    100,
    600_000,
    'Milliseconds a client may take to send a whole request.',
  ),
  maxConnections: integer('PLAT_MAX_CONNECTIONS', 4096, 1, 1_000_000, 'Open client connections; more are refused.'),
  addressConnections: integer(
    'PLAT_ADDRESS_CONNECTIONS',
    512,
    0,
    1_000_000,
    'Open connections of one client address; more are refused. Trusted proxies may have any number. 0 is no limit.',
  ),
  accountRequests: integer(
    'PLAT_ACCOUNT_REQUESTS',
    32,
    0,
    1_000_000,
    'Requests of one account that are under way at once; more get 429. 0 is no limit.',
  ),
  addressRequests: integer(
    'PLAT_ADDRESS_REQUESTS',
    32,
    0,
    1_000_000,
    'Requests without a token from one client address that are under way at once; more get 429, as do more than a hundred a second, but for /healthz and /readyz. 0 is no limit of either.',
  ),
  drain: integer('PLAT_DRAIN_MS', 10_000, 0, 600_000, 'Milliseconds running requests may take after SIGTERM.'),
  drainDelay: integer(
    'PLAT_DRAIN_DELAY_MS',
    0,
    0,
    600_000,
    'Milliseconds after SIGTERM for which /readyz is not ready and everything else goes on, before the port closes: a little more than a load balancer takes to notice.',
  ),
  metricsPort: integer('PLAT_METRICS_PORT', 0, 0, 65535, 'Port of GET /metrics for Prometheus; 0 opens none.'),
  metricsHost: text('PLAT_METRICS_HOST', '127.0.0.1', 'Address that PLAT_METRICS_PORT listens on.'),
  outgoingNetworks: networks(
    'PLAT_OUTGOING_NETWORKS',
    'Addresses or networks, by commas, that are not public and that URLs named by strangers (callbacks, client metadata) may still lead to, over http:// too: for tests and private installations.',
  ),
  mirror: text(
    'PLAT_MIRROR',
    '',
    'What stands for the hosts of publishers in a refresh: rules HOST=FOLDER or HOST=http://SERVER between commas, * for every host (refresh.md).',
  ),
  acquireConnections: integer(
    'PLAT_ACQUIRE_CONNECTIONS',
    2,
    1,
    64,
    'Connections that a refresh opens to one publisher at once. Proxies are those of HTTP_PROXY, HTTPS_PROXY and NO_PROXY.',
  ),
  arcgisTokens: hiddenText(
    'PLAT_ARCGIS_TOKENS',
    'Tokens of ArcGIS servers that ask for one: HOST=TOKEN between commas. Each goes to its own host alone.',
  ),
  publisherKeys: hiddenText(
    'PLAT_PUBLISHER_KEYS',
    'Keys of publishers that ask for one: HOST=HEADER:VALUE between commas, several for a host that wants a name beside its key. Each goes to its own host alone.',
  ),
  ...SOURCE_LIMITS,
  trustedProxies: networks(
    'PLAT_TRUSTED_PROXIES',
    "Addresses or networks, by commas, whose X-Forwarded-For is believed; without it a client's address is that of its connection.",
  ),
} as const satisfies Record<string, Setting<unknown>>;

export type Settings = { readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['parse']> };

/**
 * Reads all settings from an environment.
 * @throws RangeError naming the variable, its value and what was expected.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  return Object.fromEntries(Object.entries(SETTINGS).map(([name, s]) => [name, s.parse(env[s.variable])])) as Settings;
}
