import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { plat, serve } from '../../contract/plat.ts';
import { freePort } from '../../free-port.ts';

/** Each request of a pasted example says its status on stderr; those before the last may not fail either. */
const TOLD = `curl() { command curl --max-time 60 -w '%{stderr}status %{http_code}\\n' "$@"; }`;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (html: string) => html.replace(/&(#?\w+);/g, (_, name: string) => ENTITIES[name]!);

/** An example of the reference. */
export interface Sample {
  /** As `POST /v1/fetch`. */
  readonly name: string;
  readonly status: string;
  readonly lines: string;
}

/** What bash said of an example. */
export interface Said {
  readonly out: string;
  readonly errors: string;
  /** Of its requests, in their order. */
  readonly statuses: readonly string[];
}

/** A server, and the examples that its reference shows. */
export async function referenceOf(home: string) {
  const account = ['--account', 'reader@example.org'];
  const token = plat(home, 'token', 'create', ...account, '--plan', 'scale').stdout.trim();
  const port = String(await freePort());
  const served = await serve(home, { PORT: port, PLAT_RATE_LIMIT: 'off' });
  // One of them is for operators alone.
  plat(home, 'account', 'operator', 'reader@example.org');
  const session = plat(home, 'session', 'create', ...account, '--port', port).stdout.trim();
  const env = { ...process.env, PLAT_URL: served.address, PLAT_TOKEN: token, PLAT_SESSION: session };
  const page = await (await fetch(`${served.address}/v1/docs`)).text();
  const document = (await (await fetch(`${served.address}/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { readonly operationId: string }>>;
  };
  const ids = new Map<string, string>(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId }]) => [`${method.toUpperCase()} ${path}`, operationId] as const,
      ),
    ),
  );
  const samples: Sample[] = [
    ...page.matchAll(/<pre [^>]*aria-label="Example of ([^"]+)" data-status="(\d+)"><code>([\s\S]*?)<\/code>/g),
  ].map(([, name, status, lines]) => ({ name: decoded(name!), status: status!, lines: decoded(lines!) }));
  // The session ends there.
  const signsOut = ({ name }: Sample) => name.endsWith('/sign-out');
  return {
    page,
    /** Operation ids by `POST /v1/fetch`. */
    ids,
    address: served.address,
    samples: samples.toSorted((a, b) => Number(signsOut(a)) - Number(signsOut(b))),
    async say({ lines }: Sample): Promise<Said> {
      const child = spawn('bash', ['-c', `${TOLD}\n${lines}`], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { out, errors, statuses: [...errors.matchAll(/^status (\d+)$/gm)].map(([, code]) => code!) };
    },
    async end(): Promise<void> {
      served.child.kill('SIGTERM');
      await served.ended;
    },
  };
}
