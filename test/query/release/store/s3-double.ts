import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';

/**
 * What goes wrong with one request. `short` and `reset` cut a body, `late-reset` loses the answer to a write that was made,
 * `wrong` changes bytes on their way; `cut` ends the connection after so many bytes of an upload.
 */
export type Fault =
  | 503
  | 409
  | 412
  | 'reset'
  | 'short'
  | 'late-reset'
  | 'stale'
  | 'wrong'
  | 'slow'
  | { readonly cut: number };

/** A server that speaks as much of S3 as stores use, with faults by plan. */
export interface S3Double {
  readonly objects: Map<string, Buffer>;
  /** Taken one a request of the method, the first first. */
  readonly faults: Record<'PUT' | 'GET' | 'HEAD' | 'LIST' | 'POST' | 'DELETE', Fault[]>;
  /** Uploads in parts that are neither ended nor given up. */
  readonly uploads: ReadonlyMap<string, unknown>;
  /** Whether `If-None-Match: *` is kept. */
  conditional: boolean;
  /** Whether every connection is cut. */
  gone: boolean;
  /** Method and key, and of parts where they begin. */
  readonly requests: string[];
  /** Told of each request before it is answered. */
  before: (request: string) => void;
  readonly url: string;
  /** Variables by which the SDK finds it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Collects a body. @returns null where the connection was cut on purpose. */
async function bodyOf(request: IncomingMessage, cut: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length < cut) continue;
    request.socket.destroy();
    return null;
  }
  return Buffer.concat(chunks);
}

/** Without words, as Ceph's server. */
const refuse = (response: ServerResponse, status: number, code: string) => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
};

const REFUSALS = { 503: 'SlowDown', 409: 'ConditionalRequestConflict', 412: 'PreconditionFailed' } as const;

/** Keys of one answer. */
const PAGE = 25;

/** What was sent, otherwise. */
const changed = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)));

/** Starts the double on a free port of the loopback address. */
async function s3Double(): Promise<S3Double> {
  const objects = new Map<string, Buffer>();
  const faults: S3Double['faults'] = { PUT: [], GET: [], HEAD: [], LIST: [], POST: [], DELETE: [] };
  const requests: string[] = [];
  /** Parts of uploads that are under way, by their ids. */
  const uploads = new Map<string, Map<number, Buffer>>();
  const double = {
    objects,
    uploads,
    faults,
    requests,
    conditional: true,
    gone: false,
    before: (_request: string) => {},
  };

  const put = async (key: string, request: IncomingMessage, response: ServerResponse, fault: Fault | undefined) => {
    const body = await bodyOf(request, typeof fault === 'object' ? fault.cut : Number.POSITIVE_INFINITY);
    if (!body) return;
    if (double.conditional && request.headers['if-none-match'] === '*' && objects.has(key))
      return refuse(response, 412, 'PreconditionFailed');
    const arrived = fault === 'wrong' ? changed(body) : body;
    const md5 = request.headers['content-md5'];
    if (md5 && createHash('md5').update(arrived).digest('base64') !== md5) return refuse(response, 400, 'BadDigest');
    objects.set(key, arrived);
    if (fault === 'late-reset') return void request.socket.destroy();
    response.end();
  };

  const part = async (query: URLSearchParams, request: IncomingMessage, response: ServerResponse, fault?: Fault) => {
    const body = await bodyOf(request, typeof fault === 'object' ? fault.cut : Number.POSITIVE_INFINITY);
    if (!body) return;
    const parts = uploads.get(query.get('uploadId')!);
    if (!parts) return refuse(response, 404, 'NoSuchUpload');
    const arrived = fault === 'wrong' ? changed(body) : body;
    const md5 = createHash('md5').update(arrived);
    if (md5.copy().digest('base64') !== request.headers['content-md5']) return refuse(response, 400, 'BadDigest');
    parts.set(Number(query.get('partNumber')), arrived);
    if (fault === 'late-reset') return void request.socket.destroy();
    response.writeHead(200, { etag: `"${md5.digest('hex')}"` }).end();
  };

  /** Begins an upload in parts, or ends one: the object is there then and not before. */
  const inParts = async (
    key: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
    fault?: Fault,
  ) => {
    const body = String(await bodyOf(request, Number.POSITIVE_INFINITY));
    const id = query.get('uploadId') ?? `upload-${requests.length}`;
    const begins = query.has('uploads');
    if (begins) uploads.set(id, new Map());
    const parts = uploads.get(id);
    if (!parts) return refuse(response, 404, 'NoSuchUpload');
    if (!begins) {
      const named = [...body.matchAll(/<PartNumber>(\d+)</g)].map(([, n]) => Number(n));
      if (!named.every((n, i) => n === i + 1 && parts.has(n))) return refuse(response, 400, 'InvalidPart');
      objects.set(key, Buffer.concat(named.map(n => parts.get(n)!)));
      uploads.delete(id);
      if (fault === 'late-reset') return void request.socket.destroy();
    }
    const what = begins ? 'InitiateMultipartUploadResult' : 'CompleteMultipartUploadResult';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><${what}><Key>${key}</Key><UploadId>${id}</UploadId></${what}>`);
  };

  const list = (query: URLSearchParams, response: ServerResponse, fault: Fault | undefined) => {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const keys = [...objects.keys()].filter(name => name.startsWith(prefix) && name > after).sort();
    const page = fault === 'stale' ? keys.slice(0, -1) : keys.slice(0, PAGE);
    const more = fault !== 'stale' && keys.length > PAGE;
    response.writeHead(200, { 'content-type': 'application/xml' });
    const token = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const contents = page.map(name => `<Contents><Key>${name}</Key></Contents>`).join('');
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${token}${contents}</ListBucketResult>`,
    );
  };

  const get = async (object: Buffer, request: IncomingMessage, response: ServerResponse, fault: Fault | undefined) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (from > 0 && from >= object.length) return refuse(response, 416, 'InvalidRange');
    const body = fault === 'wrong' ? changed(object.subarray(from)) : object.subarray(from);
    const range = from > 0 ? { 'content-range': `bytes ${from}-${object.length - 1}/${object.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length, ...range });
    if (request.method === 'HEAD') return void response.end();
    if (fault === 'short' || fault === 'reset') {
      response.write(body.subarray(0, body.length >> 1));
      return void setTimeout(() => request.socket.destroy(), 20);
    }
    if (fault === 'slow')
      for (let at = 0; at < 10; at++) {
        response.write(body.subarray((body.length * at) / 10, (body.length * (at + 1)) / 10));
        await sleep(20);
      }
    else response.write(body);
    response.end();
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x');
    const key = decodeURIComponent(pathname.replace(/^\/[^/]+\/?/, ''));
    const method = (searchParams.has('list-type') ? 'LIST' : request.method) as keyof typeof faults;
    const what = `${method} ${key}${request.headers.range ? ` ${request.headers.range}` : ''}`;
    requests.push(what);
    double.before(what);
    if (double.gone) return void request.socket.destroy();
    const fault = faults[method].shift();
    if (fault === 'reset' && method !== 'GET') return void request.socket.destroy();
    if (typeof fault === 'number') {
      await bodyOf(request, Number.POSITIVE_INFINITY);
      return refuse(response, fault, REFUSALS[fault]);
    }
    if (method === 'POST') return inParts(key, searchParams, request, response, fault);
    if (method === 'DELETE')
      return void response.writeHead(uploads.delete(searchParams.get('uploadId')!) ? 204 : 404).end();
    if (method === 'PUT' && searchParams.has('partNumber')) return part(searchParams, request, response, fault);
    if (method === 'PUT') return put(key, request, response, fault);
    if (method === 'LIST') return list(searchParams, response, fault);
    const object = objects.get(key);
    return object ? get(object, request, response, fault) : refuse(response, 404, 'NoSuchKey');
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(double, {
    url,
    env: {
      AWS_ENDPOINT_URL_S3: url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'tests',
      AWS_SECRET_ACCESS_KEY: 'tests',
    },
    close: () =>
      new Promise<void>(done => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  });
}

/** A double for the tests of a file, to which the variables of the SDK point; each test begins without faults. */
export function useS3Double(): () => S3Double {
  let double: S3Double;
  beforeAll(async () => {
    double = await s3Double();
    for (const [name, value] of Object.entries(double.env)) vi.stubEnv(name, value);
  });
  beforeEach(() => {
    double.conditional = true;
    for (const faults of Object.values(double.faults)) faults.length = 0;
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await double.close();
  });
  return () => double;
}
