import { OPERATIONS } from '../../operations/registry.ts';
import { type ClientExample, clientExample } from './client-example.ts';
import { bodyOf, type Call, successOf } from './described.ts';
import { variable } from './example-bodies.ts';

/** A way to call an operation from a shell. */
export interface Example {
  /** Lines for bash: with PLAT_URL, PLAT_TOKEN and PLAT_SESSION set they work when pasted. */
  readonly text: string;
  /** The status of its last request. */
  readonly status: string;
  /** What has to be known beside; null where nothing has. */
  readonly note: string | null;
  /** The same with the clients; null where an earlier answer is needed, and where no JSON is sent or answered. */
  readonly clients: ClientExample | null;
}

/** Values that another operation's answer has: variable of the shell → property. */
interface Before {
  readonly call: string;
  readonly values: Readonly<Record<string, string>>;
  /** A header that is sent along, and has the one value in the answer. */
  readonly header?: string;
}

const BEFORE: Readonly<Record<string, Before>> = {
  changes: { call: 'readiness', values: { RELEASE: 'release' } },
  run: { call: 'submitRun', values: { RUN_ID: 'run_id' } },
  runEvents: { call: 'submitRun', values: { RUN_ID: 'run_id' } },
  runArtifact: { call: 'submitRun', values: { RUN_ID: 'run_id' } },
  export: { call: 'submitExport', values: { EXPORT_ID: 'export_id' } },
  exportEvents: { call: 'submitExport', values: { EXPORT_ID: 'export_id' } },
  exportFile: { call: 'submitExport', values: { EXPORT_ID: 'export_id' } },
  receipt: { call: 'fetch', values: { RECEIPT_ID: 'id' }, header: 'X-Service-Receipt' },
  site: { call: 'registerSite', values: { SITE_ID: 'site_id' } },
  askSite: { call: 'registerSite', values: { SITE_ID: 'site_id' } },
  siteDossier: { call: 'registerSite', values: { SITE_ID: 'site_id' } },
  forgetSite: { call: 'registerSite', values: { SITE_ID: 'site_id' } },
  watch: { call: 'registerWatch', values: { WATCH_ID: 'watch_id' } },
  deleteWatch: { call: 'registerWatch', values: { WATCH_ID: 'watch_id' } },
  deleteTemplate: { call: 'putTemplate', values: {} },
  correction: { call: 'fileCorrection', values: { CORRECTION_ID: 'correction_id' } },
  fieldRequest: { call: 'fileFieldRequest', values: { REQUEST_ID: 'request_id' } },
  withdrawFieldRequest: { call: 'fileFieldRequest', values: { REQUEST_ID: 'request_id' } },
  reveal_token: { call: 'create_token', values: { TOKEN_ID: 'id' } },
  revoke_token: { call: 'create_token', values: { TOKEN_ID: 'id' } },
  revoke_grant: { call: 'create_token', values: { TOKEN_ID: 'id' } },
  beginOnboarding: { call: 'onboardingTerms', values: { TERMS_VERSION: 'version', TERMS_SHA256: 'sha256' } },
  exchangeConnectCode: { call: 'beginOnboarding', values: { CONNECT_CODE: 'connect_code' } },
  tellOnboardingProgress: {
    call: 'exchangeConnectCode',
    values: { ATTEMPT_ID: 'attempt_id', ATTEMPT_TOKEN: 'token' },
  },
  onboardingAttempt: { call: 'beginOnboarding', values: { ATTEMPT_ID: 'attempt_id' } },
  pollDeviceLogin: { call: 'startDeviceLogin', values: { DEVICE_CODE: 'device_code' } },
  ogcItem: { call: 'ogcItems', values: { FEATURE_ID: 'id' } },
  ...Object.fromEntries(
    OPERATIONS.flatMap(({ id, needs = {} }) =>
      Object.entries(needs).map(([name, { of, property }]) => [id, { call: of, values: { [name]: property } }]),
    ),
  ),
};

/** Parameters of paths and queries, by operation and, for all, by name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  run_id: variable('RUN_ID'),
  export_id: variable('EXPORT_ID'),
  receipt_id: variable('RECEIPT_ID'),
  name: 'export.csv',
  site_id: variable('SITE_ID'),
  watch_id: variable('WATCH_ID'),
  template: 'mine',
  correction_id: variable('CORRECTION_ID'),
  request_id: variable('REQUEST_ID'),
  attempt_id: variable('ATTEMPT_ID'),
  id: variable('TOKEN_ID'),
  since: variable('RELEASE'),
  fmt: 'csv',
  q: 'main',
  collectionId: 'parcels',
  featureId: variable('FEATURE_ID'),
  tileMatrixSetId: 'WebMercatorQuad',
};

/** What an operation waits for, as another operation that is asked before it. */
const WAITS: Readonly<Record<string, string>> = {
  runArtifact: 'runEvents',
  exportFile: 'exportEvents',
  askSite: 'site',
  siteDossier: 'site',
};

/** Operations that the API token of the reader does not open: one token revokes no other. */
const TOKENS: Readonly<Record<string, string>> = {
  tellOnboardingProgress: variable('ATTEMPT_TOKEN'),
  revoke_token: variable('PLAT_SESSION'),
};

const NOTES: Readonly<Record<string, { readonly status: string; readonly note: string }>> = {
  pollDeviceLogin: {
    status: '400',
    note: 'Until somebody approves at `verification_uri` of the first answer it is refused with `authorization_pending`.',
  },
};

/** A text as one word of the shell, in which variables keep their meaning. */
function quoted(text: string): string {
  const literal = text.replaceAll("'", `'\\''`);
  return `'${literal.replace(/\$[A-Z][A-Z0-9_]*/g, name => `'"${name}"'`)}'`;
}

function addressOf({ path, parameters = [] }: Call): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? name);
  const query = parameters
    .filter(parameter => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${PARAMETERS[name] ?? ''}`);
  return `"$PLAT_URL${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`;
}

/** The body as an argument of curl: a text is a file, whose lines stay lines. */
const dataOf = (body: unknown): string =>
  typeof body === 'string' ? `--data-binary ${quoted(body)}` : `-d ${quoted(JSON.stringify(body))}`;

/** Who is shown to be asking; null on public operations. */
function credentialOf({ operationId, security = [] }: Call): string | null {
  const names = security.flatMap(Object.keys);
  if (names.length === 0) return null;
  return TOKENS[operationId] ?? (names.includes('bearer') ? '$PLAT_TOKEN' : '$PLAT_SESSION');
}

/** Makes examples of the operations of one description. @param bodies operation id → body. */
export function exampleMaker(calls: readonly Call[], bodies: Readonly<Record<string, unknown>>) {
  const byId = new Map(calls.map(call => [call.operationId, call]));

  /** The request as parts of one command. */
  const partsOf = (call: Call): string[] => {
    const body = bodyOf(call);
    const credential = credentialOf(call);
    const streams = Object.keys(call.responses['200']?.content ?? {}).includes('text/event-stream');
    const method = call.method === 'GET' || (call.method === 'POST' && body) ? '' : ` -X ${call.method}`;
    return [
      `curl -sS${streams ? 'N' : ''}${method} ${addressOf(call)}`,
      ...(credential === null ? [] : [`-H "Authorization: Bearer ${credential}"`]),
      ...(body === null ? [] : [`-H 'Content-Type: ${body.type}'`, dataOf(bodies[call.operationId] ?? body.example)]),
    ];
  };

  const linesBefore = (id: string): string[] => {
    const before = BEFORE[id];
    const call = before && byId.get(before.call);
    if (!call) return [];
    const [name] = Object.keys(before.values);
    if (before.header)
      return [
        ...linesBefore(before.call),
        `${name}=$(${partsOf(call).join(' ')} -H '${before.header}: 1' -o /dev/null -D - | grep -i '^${before.header}:' | tr -d '\\r' | cut -d ' ' -f 2)`,
      ];
    return [
      ...linesBefore(before.call),
      `ANSWER=$(${partsOf(call).join(' ')})`,
      ...Object.entries(before.values).map(
        ([name, property]) =>
          `${name}=$(echo "$ANSWER" | grep -o '"${property}":"[^"]*' | head -n 1 | cut -d '"' -f 4)`,
      ),
    ];
  };

  const waiting = (id: string): string[] => {
    const call = byId.get(WAITS[id] ?? '');
    if (!call) return [];
    const command = partsOf(call).join(' ');
    return call.operationId.endsWith('Events')
      ? [`${command} > /dev/null  # until it is done`]
      : [`while ${command} | grep -q '"building"'; do sleep 1; done`];
  };

  const clientsOf = (call: Call): ClientExample | null => {
    const { operationId, path, parameters = [], responses } = call;
    const [types] = Object.entries(responses).flatMap(([status, { content = {} }]) =>
      status.startsWith('2') ? [Object.keys(content)] : [],
    );
    const body = bodyOf(call);
    const sent = body === null ? {} : (bodies[operationId] ?? body.example);
    const isPlain = types!.every(type => type === 'application/json') && typeof sent === 'object';
    if (!isPlain || BEFORE[operationId] || NOTES[operationId]) return null;
    const named = parameters.filter(({ in: place, required }) => place === 'path' || (place === 'query' && required));
    const input = { ...Object.fromEntries(named.map(({ name }) => [name, PARAMETERS[name] ?? ''])), ...sent };
    if (!path.startsWith('/v1/') || JSON.stringify(input).includes('"$')) return null;
    return clientExample(call, input, credentialOf(call) === '$PLAT_SESSION');
  };

  return (call: Call): Example => {
    const { operationId } = call;
    const lines = [...linesBefore(operationId), ...waiting(operationId), partsOf(call).join(' \\\n  ')];
    const { status, note } = NOTES[operationId] ?? { status: successOf(call), note: null };
    return { text: lines.join('\n'), status, note, clients: clientsOf(call) };
  };
}
