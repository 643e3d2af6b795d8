import { randomBytes } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { Client } from '../../../../ingest/acquire/client.ts';
import { presenceOf } from '../../../../ingest/acquire/presence.ts';
import type { Daemon } from './daemon.ts';
import { Taking } from './taking.ts';
import { startApache, startNginx } from './web-server.ts';

const SEED = randomBytes(2_000_000);
/** A zip by its ends, which no coding makes smaller. */
const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), SEED, Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex')]);
const csv = Buffer.from(`geoid,value\n${Array.from({ length: 60_000 }, (_, i) => `${i},v${i % 7}`).join('\n')}\n`);

/** Many addresses of the same server, each with a trait of servers that publishers run. */
const NGINX = `
  gzip on; gzip_types text/csv application/json; gzip_min_length 0;
  location /slow/ { limit_rate 2m; }
  location /unranged/ { max_ranges 0; limit_rate 2m; }
  location /unmarked/ { etag off; add_header Last-Modified ""; limit_rate 2m; }
  location /forced/ { gzip_static always; }
  location /cookie/ {
    if ($cookie_seen = "") { add_header Set-Cookie "seen=1; Path=/; HttpOnly"; return 302 $request_uri; }
    if ($cookie_step = "") { add_header Set-Cookie "step=2"; return 307 $request_uri; }
  }
  location /chain/1 { return 301 /chain/2; }
  location /chain/2 { return 303 /chain/3; }
  location /chain/3 { return 307 $scheme://localhost:$server_port/a.zip; }
  location /busy/ { limit_req zone=one; limit_req_status 429; }
  location /dropped/ { return 444; }
  location /headless/ { if ($request_method = HEAD) { return 405; } }
  location /unknown/ { return 501; }
  location /list/ { autoindex on; }
`;

const APACHE = `
AddType text/csv .csv
AddType application/zip .zip
AddEncoding x-gzip .gz
<Location /slow/>
  SetOutputFilter RATE_LIMIT
  SetEnv rate-limit 2000
</Location>
<Location /weak/>
  Header edit ETag ^(.*)$ W/$1
  SetOutputFilter RATE_LIMIT
  SetEnv rate-limit 2000
</Location>
<Location /forced/>
  SetEnv force-gzip 1
  SetOutputFilter DEFLATE
</Location>
<Location /unranged/>
  MaxRanges none
  SetOutputFilter RATE_LIMIT
  SetEnv rate-limit 2000
</Location>
RewriteEngine On
RewriteCond %{HTTP_COOKIE} !seen=1
RewriteRule ^/cookie/ %{REQUEST_URI} [R=302,L,CO=seen:1:localhost,QSA]
`;

const servers: Daemon[] = [];
afterAll(async () => {
  for (const one of servers) await one.stop();
});

const logOf = ({ folder }: Daemon) => readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n');

/** What both servers do. */
function suite(started: () => Daemon): void {
  const at = (path: string) => `http://127.0.0.1:${started().port}${path}`;

  it('is taken whole, and asked for under a condition', async () => {
    const taking = new Taking();
    expect((await taking.take(at('/a.zip'), 'a.zip')).isNew).toBe(true);
    expect(taking.read('a.zip')).toEqual(zip);
    expect((await taking.take(at('/a.zip'), 'a.zip')).isNew).toBe(false);
    expect((await taking.look(at('/a.zip'), 'a.zip')).isNew).toBe(false);
    expect(logOf(started()).filter(line => / \/a\.zip 304 /.test(line)).length).toBeGreaterThan(0);
  });

  it('goes on where an earlier run ended', async () => {
    const taking = new Taking();
    await taking.broken(at('/slow/a.zip'), 'a.zip', 300_000);
    await taking.take(at('/slow/a.zip'), 'a.zip');
    expect(taking.read('a.zip')).toEqual(zip);
    expect(logOf(started()).at(-1)).toMatch(/GET \/slow\/a\.zip 206 range=bytes=[1-9]\d+- if_range=\\/);
  });

  it('begins anew where ranges are refused, and where the file changed', async () => {
    const taking = new Taking();
    await taking.broken(at('/unranged/a.zip'), 'a.zip', 300_000);
    await taking.take(at('/unranged/a.zip'), 'a.zip');
    expect(taking.read('a.zip')).toEqual(zip);
    expect(logOf(started()).at(-1)).toMatch(/ 200 range=bytes=/);
    const other = Buffer.concat([zip.subarray(0, 1_000_000), zip.subarray(-22)]);
    started().put('/slow/b.zip', zip);
    await taking.broken(at('/slow/b.zip'), 'b.zip', 300_000);
    started().put('/slow/b.zip', other);
    utimesSync(join(started().root, 'slow/b.zip'), 1_760_000_000, 1_760_000_000);
    await taking.take(at('/slow/b.zip'), 'b.zip');
    expect(taking.read('b.zip')).toEqual(other);
  });

  it('is the file though it is coded on the way, and is still gone on with by name alone', async () => {
    const taking = new Taking();
    for (const path of ['/plain/a.csv', '/forced/a.csv']) {
      const { taken } = await taking.take(at(path), `${path.slice(1, 3)}.csv`);
      expect(taking.read(`${path.slice(1, 3)}.csv`)).toEqual(csv);
      expect(taken.bytes).toBe(csv.length);
      expect((await taking.take(at(path), `${path.slice(1, 3)}.csv`)).isNew).toBe(false);
    }
    // A file whose name says that it is compressed is not unpacked.
    await taking.take(at('/plain/a.csv.gz'), 'a.csv.gz');
    expect(taking.read('a.csv.gz')).toEqual(gzipSync(csv));
  });

  it('is said to be there, by its first bytes and its header', async () => {
    const client = new Client({ wait: async () => {}, retries: 1 });
    const now = new Date('2026-11-28T06:00:00Z');
    const seen = (path: string, earlier: Parameters<typeof presenceOf>[2] = null) =>
      presenceOf(
        { via: 'http', url: at(path), where: '', resource: null, vintage: null, box: null },
        [...catalog.datasets.keys()],
        earlier,
        { client, now },
      );
    for (const path of ['/plain/a.csv', '/forced/a.csv']) {
      const first = await seen(path);
      expect(first).toMatchObject({ verdict: 'alive', columns: ['geoid', 'value'] });
      expect(await seen(path, first)).toMatchObject({ verdict: 'alive' });
    }
    expect(await seen('/none.csv')).toMatchObject({ verdict: 'gone', detail: 'answered 404' });
    started().put('/empty.csv', '');
    expect(await seen('/empty.csv')).toMatchObject({ verdict: 'gone' });
    await client.close();
  });

  it('is sent only to who brings back a cookie, through redirects', async () => {
    const taking = new Taking();
    const { taken } = await taking.take(at('/cookie/a.zip'), 'c.zip');
    expect(taken.bytes).toBe(zip.length);
  });

  it('is the newest of a listing, whose names are cut off in its text', async () => {
    const long = 'noaa_storm_events_details_of_all_states_and_territories_d';
    for (const year of [2023, 2025, 2024]) started().put(`/list/${long}${year} c1.csv`, `y\n${year}\n`);
    const taking = new Taking();
    const index = { index: at('/list/'), link: `${long}(\\d{4})%20c1\\.csv` };
    const { taken } = await taking.take('{link}', 'n.csv', { vintage: index });
    expect(taken.vintage).toBe('2025');
    expect(taking.read('n.csv').toString()).toBe('y\n2025\n');
  });
}

const FOLDERS = ['', 'slow/', 'unranged/', 'cookie/', 'forced/', 'plain/', 'weak/', 'busy/', 'unmarked/', 'headless/'];
function fill(server: Daemon): void {
  for (const folder of FOLDERS) {
    server.put(`/${folder}a.zip`, zip);
    server.put(`/${folder}a.csv`, csv);
    server.put(`/${folder}a.csv.gz`, gzipSync(csv));
    // Older than a minute: a tag of a newer file is weak at Apache.
    for (const name of ['a.zip', 'a.csv', 'a.csv.gz'])
      utimesSync(join(server.root, folder, name), 1_750_000_000, 1_750_000_000);
  }
}

describe("a file of Debian's nginx", { tags: ['nginx'] }, () => {
  let server: Daemon;
  beforeAll(async () => {
    server = await startNginx(NGINX);
    servers.push(server);
    fill(server);
  });
  suite(() => server);
  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;

  it('comes without validators, through a chain of redirects, and in spite of a server that is busy', async () => {
    const taking = new Taking();
    await taking.broken(at('/unmarked/a.zip'), 'u.zip', 300_000);
    await taking.take(at('/unmarked/a.zip'), 'u.zip');
    expect(taking.read('u.zip')).toEqual(zip);
    await taking.take(at('/chain/1'), 'c.zip');
    expect(taking.read('c.zip')).toEqual(zip);
    // One request in ten seconds: the second has to wait.
    await taking.take(at('/busy/a.zip'), 'b.zip');
    await expect(taking.take(at('/busy/a.csv'), 'b.csv', { retries: 1 })).rejects.toThrow(/answered 429; gave up/);
    expect((await taking.look(at('/headless/a.zip'), 'h.zip')).seen).toMatchObject({ bytes: zip.length });
  });

  it('is given up at once where another try gets the same, and later where the connection is dropped', async () => {
    const taking = new Taking();
    await expect(taking.take(at('/unknown/a.zip'), 'x.zip')).rejects.toMatchObject({ kind: 'forbidden', status: 501 });
    expect(taking.told).toEqual([]);
    await expect(taking.take(at('/dropped/a.zip'), 'x.zip')).rejects.toMatchObject({ kind: 'unreachable' });
    expect(taking.told).toHaveLength(3);
  });
});

describe("a file of Debian's Apache", { tags: ['Apache'] }, () => {
  let server: Daemon;
  beforeAll(async () => {
    server = await startApache(APACHE);
    servers.push(server);
    fill(server);
  });
  suite(() => server);
  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;

  it('goes on by its date where its tag is weak', async () => {
    const taking = new Taking();
    await taking.broken(at('/weak/a.zip'), 'w.zip', 300_000);
    await taking.take(at('/weak/a.zip'), 'w.zip');
    expect(taking.read('w.zip')).toEqual(zip);
    expect(logOf(server).at(-1)).toMatch(/GET \/weak\/a\.zip 206 range=bytes=[1-9]\d+- if_range=Sun, 15 Jun 2025/);
  });
});
