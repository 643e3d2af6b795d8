import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSafeClient, type SafeClient, type SafeClientOptions } from '../../../server/upstream/safe-client.ts';
import { type NameServer, openNameServer } from './name-server.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Something that listens and counts who comes. */
class Listener {
  readonly connections: Socket[] = [];
  readonly requests: IncomingMessage[] = [];
  handler: Handler = (_, response) => response.end('hello');
  readonly server: Server;

  constructor(tls?: { key: string; cert: string }) {
    const handle: Handler = (request, response) => {
      this.requests.push(request);
      this.handler(request, response);
    };
    this.server = tls ? createTlsServer(tls, handle) : createServer(handle);
    this.server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => this.connections.push(socket));
  }

  async listen(host: string, port = 0): Promise<number> {
    await new Promise<void>(listening => this.server.listen(port, host, listening));
    return (this.server.address() as AddressInfo).port;
  }

  reset(): void {
    this.connections.length = 0;
    this.requests.length = 0;
    this.handler = (_, response) => response.end('hello');
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Two machines as far as addresses tell: the one that is let in, and one that is not. */
const LISTED = '127.0.0.2';
const listed = new Listener();
const private_ = new Listener();
let names: NameServer;
let port: number;

const client = (options: SafeClientOptions = {}): SafeClient =>
  createSafeClient({ networks: [`${LISTED}/32`], nameServers: [names.address], ...options });

const get = (url: string, options: SafeClientOptions = {}) => client(options).send(url, { method: 'GET' });

beforeAll(async () => {
  names = await openNameServer();
  port = await listed.listen(LISTED);
  await private_.listen('127.0.0.1', port);
});

afterAll(async () => {
  for (const listener of [listed, private_]) listener.close();
  await names[Symbol.asyncDispose]();
});

beforeEach(() => {
  for (const listener of [listed, private_]) listener.reset();
  names.names.clear();
  names.silent.clear();
  names.asked.length = 0;
});

describe('an address that is let in over TLS', { tags: ['OpenSSL'] }, () => {
  let secure: Listener;
  let tlsPort: number;
  let ca: string;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plat-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=hook.example', '-addext', 'subjectAltName=DNS:hook.example'];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    ca = readFileSync(cert, 'utf8');
    secure = new Listener({ key: readFileSync(key, 'utf8'), cert: ca });
    rmSync(folder, { recursive: true });
    tlsPort = await secure.listen(LISTED);
  });

  beforeEach(() => secure.reset());

  afterAll(() => secure.close());

  it('is sent the request and its answer comes back', async () => {
    names.names.set('hook.example', { A: [[LISTED]] });
    let body = '';
    secure.handler = (request, response) => {
      request.on('data', chunk => {
        body += chunk;
      });
      request.on('end', () => response.writeHead(202, { 'x-said': 'yes' }).end('{"ok":true}'));
    };
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: '{"é":1}' } as const;
    const answer = await client({ ca }).send(`https://hook.example:${tlsPort}/a?b=c`, request);
    expect([answer.status, answer.headers['x-said'], answer.body.toString()]).toEqual([202, 'yes', '{"ok":true}']);
    expect(body).toBe('{"é":1}');
    const [seen] = secure.requests;
    expect([seen!.method, seen!.url, seen!.headers.host, seen!.headers['content-type']]).toEqual([
      'POST',
      '/a?b=c',
      `hook.example:${tlsPort}`,
      'application/json',
    ]);
  });

  it('must show a certificate of the name that it was asked for by', async () => {
    names.names.set('other.example', { A: [[LISTED]] });
    await expect(get(`https://other.example:${tlsPort}/`, { ca })).rejects.toMatchObject({ fault: 'dropped' });
    names.names.set('hook.example', { A: [[LISTED]] });
    await expect(
      createSafeClient({ networks: [`${LISTED}/32`], nameServers: [names.address] }).send(
        `https://hook.example:${tlsPort}/`,
        { method: 'GET' },
      ),
    ).rejects.toMatchObject({ fault: 'dropped' });
    expect(secure.requests).toHaveLength(0);
  });
});

describe('an address that is let in', () => {
  it('is let in without TLS where an operator lists it', async () => {
    names.names.set('hook.example', { A: [[LISTED]] });
    expect((await get(`http://hook.example:${port}/`)).body.toString()).toBe('hello');
    expect((await get(`http://${LISTED}:${port}/`)).body.toString()).toBe('hello');
  });

  it('is not followed to where it redirects', async () => {
    listed.handler = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    expect((await get(`http://${LISTED}:${port}/`)).status).toBe(302);
    expect(private_.connections).toHaveLength(0);
  });
});

describe('an address that is not public', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['unspecified', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['shared', '100.64.0.9'],
    ['link-local', '169.254.169.254'],
    ['multicast', '224.0.0.5'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '::1'],
    ['IPv6 unspecified', '::'],
    ['unique local', 'fd00::5'],
    ['IPv6 link-local', 'fe80::5'],
    ['IPv6 multicast', 'ff02::5'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['translated', '64:ff9b::7f00:1'],
    ['6to4', '2002:7f00:1::'],
  ])('is refused as a name that resolves to it, and as it is written: %s', async (_, address) => {
    const type = address.includes(':') ? 'AAAA' : 'A';
    names.names.set('hook.example', { [type]: [[address]] });
    await expect(get(`https://hook.example:${port}/`)).rejects.toMatchObject({ fault: 'unresolved' });
    expect(names.asked).toContain(`${type} hook.example`);
    const host = address.includes(':') ? `[${address}]` : address;
    await expect(get(`https://${host}:${port}/`)).rejects.toMatchObject({ fault: 'refused' });
    await expect(get(`http://${host}:${port}/`)).rejects.toMatchObject({ fault: 'refused' });
    expect(private_.connections).toHaveLength(0);
  });

  it.each([
    '2130706433',
    '0x7f000001',
    '0X7F.1',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[64:ff9b::127.0.0.1]',
  ])('is refused however it is written: %s', async host => {
    for (const scheme of ['https', 'http'])
      await expect(get(`${scheme}://${host}:${port}/`)).rejects.toMatchObject({ fault: 'refused' });
    expect(private_.connections).toHaveLength(0);
    expect(names.asked).toEqual([]);
  });

  it('is refused beside a public one', async () => {
    names.names.set('hook.example', { A: [['93.184.216.34', '127.0.0.1']] });
    await expect(get(`https://hook.example:${port}/`)).rejects.toMatchObject({ fault: 'unresolved' });
    names.names.set('hook.example', { A: [[LISTED]], AAAA: [['::1']] });
    await expect(get(`https://hook.example:${port}/`)).rejects.toMatchObject({ fault: 'unresolved' });
    expect([...private_.connections, ...listed.connections]).toHaveLength(0);
  });

  it('is not told from one that no name has', async () => {
    names.names.set('inside.example', { A: [['10.1.2.3']] });
    names.names.set('both.example', { A: [['93.184.216.34', '10.1.2.3']] });
    for (const scheme of ['https', 'http'])
      for (const networks of [[], [`${LISTED}/32`]]) {
        const errors = [];
        for (const name of ['inside.example', 'both.example', 'nowhere.example']) {
          const url = `${scheme}://${name}:${port}/`;
          const { fault, message } = await client({ networks })
            .check(url, 1_000)
            .catch(error => error);
          errors.push(`${fault} ${message}`);
        }
        expect(new Set(errors).size, scheme).toBe(1);
      }
  });

  it('is not reached by a name that resolves otherwise a moment later', async () => {
    names.names.set('rebind.example', { A: [[LISTED], ['127.0.0.1']] });
    expect((await get(`http://rebind.example:${port}/`)).body.toString()).toBe('hello');
    expect(listed.connections).toHaveLength(1);
    expect(private_.connections).toHaveLength(0);
    expect(names.asked.filter(question => question === 'A rebind.example')).toHaveLength(1);
    // From now on it leads to the other machine: that is seen.
    await expect(get(`http://rebind.example:${port}/`)).rejects.toMatchObject({ fault: 'refused' });
    await expect(client().check(`http://rebind.example:${port}/`, 1_000)).rejects.toMatchObject({ fault: 'refused' });
    expect(private_.connections).toHaveLength(0);
  });

  it('is let in only where an operator lists it', async () => {
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ fault: 'refused' });
    const open = await get(`http://127.0.0.1:${port}/`, { networks: ['127.0.0.0/8', '::1'] });
    expect(open.body.toString()).toBe('hello');
  });
});

it.each(['localhost', 'LOCALHOST.', 'hook.localhost'])(
  '%s is this machine, and no name server is asked',
  async host => {
    names.names.set(host, { A: [['93.184.216.34']] });
    await expect(client().check(`https://${host}/`, 1_000)).rejects.toMatchObject({ fault: 'unresolved' });
    expect(names.asked).toEqual([]);
    await client({ networks: ['127.0.0.1'] }).check(`https://${host}/`, 1_000);
  },
);

describe('what is refused before anything is asked', () => {
  it.each([
    ['not a URL', 'hook'],
    ['another scheme', 'ftp://hook.example/'],
    ['a file', 'file:///etc/passwd'],
    ['a user', 'https://user:word@hook.example/'],
  ])('%s', async (_, url) => {
    await expect(get(url)).rejects.toMatchObject({ fault: 'refused' });
    expect(names.asked).toEqual([]);
  });

  it('http:// to a name, unless an operator lists networks', async () => {
    names.names.set('hook.example', { A: [['93.184.216.34']] });
    const url = 'http://hook.example/';
    await expect(get(url, { networks: [] })).rejects.toMatchObject({ fault: 'refused' });
    await expect(client({ networks: [] }).check(url, 1_000)).rejects.toMatchObject({ fault: 'refused' });
    expect(names.asked).toEqual([]);
    // Whether it leads into a listed network only its name server knows.
    await expect(client().check(url, 1_000)).rejects.toMatchObject({ fault: 'refused' });
    expect(names.asked).toContain('A hook.example');
  });

  it('http:// to a public address', async () => {
    await expect(get('http://93.184.216.34/')).rejects.toMatchObject({ fault: 'refused' });
  });
});

describe('an answer that does not come', () => {
  it('a name without addresses is not resolved', async () => {
    await expect(get('https://nowhere.example/')).rejects.toMatchObject({ fault: 'unresolved' });
  });

  it.each<[string, Handler]>([
    ['nothing', () => {}],
    ['headers without a body', (_, response) => response.writeHead(200, { 'content-length': '5' }).flushHeaders()],
    [
      'drips',
      (_, response) => {
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('ends with the time limit over all: %s', async (_, handler) => {
    listed.handler = handler;
    await expect(get(`http://${LISTED}:${port}/`, { limitMs: 150 })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it('ends with the time limit when the name server is silent', async () => {
    names.silent.add('slow.example');
    await expect(get('https://slow.example/', { limitMs: 150 })).rejects.toMatchObject({ fault: 'timed_out' });
  });

  it('ends when the caller gives up', async () => {
    listed.handler = () => {};
    const controller = new AbortController();
    const sent = client().send(`http://${LISTED}:${port}/`, { method: 'GET', signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is cut where it is longer than it may be', async () => {
    listed.handler = (_, response) => void response.write('x'.repeat(100_000));
    await expect(get(`http://${LISTED}:${port}/`)).rejects.toMatchObject({ fault: 'dropped' });
    const unread = await client().send(`http://${LISTED}:${port}/`, { method: 'GET', maxBytes: 0 });
    expect([unread.status, unread.body.length]).toEqual([200, 0]);
  });

  it('is an error where the connection is dropped', async () => {
    listed.handler = request => request.socket.destroy();
    await expect(get(`http://${LISTED}:${port}/`)).rejects.toMatchObject({ fault: 'dropped' });
    listed.handler = (request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half');
      setTimeout(() => request.socket.destroy(), 20);
    };
    await expect(get(`http://${LISTED}:${port}/`)).rejects.toMatchObject({ fault: 'dropped' });
  });
});
