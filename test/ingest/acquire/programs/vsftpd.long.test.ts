import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from './daemon.ts';
import { Taking } from './taking.ts';

const configuration = (port: number, folder: string, more: readonly string[]) =>
  [
    ...['listen=YES', 'background=NO', `listen_port=${port}`, 'listen_address=127.0.0.1', 'anonymous_enable=YES'],
    ...[`anon_root=${folder}/root`, 'no_anon_password=NO', 'secure_chroot_dir=/var/run/vsftpd/empty'],
    ...['log_ftp_protocol=YES', 'xferlog_enable=YES', 'xferlog_std_format=NO', `vsftpd_log_file=${folder}/log`],
    ...['seccomp_sandbox=NO', 'isolate=NO', 'isolate_network=NO', ...more],
  ].join('\n');

describe('files of a vsftpd', { tags: ['vsftpd'] }, () => {
  const body = randomBytes(3_000_000);
  const servers: Daemon[] = [];
  const serve = async (...more: string[]) => {
    const server = await startDaemon('vsftpd', (port, folder) => {
      writeFileSync(join(folder, 'conf'), `${configuration(port, folder, more)}\n`);
      return ['vsftpd', [join(folder, 'conf')]];
    });
    servers.push(server);
    server.put('pub/asr/r tower é.dat', body);
    utimesSync(join(server.root, 'pub/asr/r tower é.dat'), 1_750_000_000, 1_750_000_000);
    return { ...server, url: `ftp://127.0.0.1:${server.port}/pub/asr/r%20tower%20%C3%A9.dat` };
  };
  const logOf = ({ folder }: Daemon) => readFileSync(join(folder, 'log'), 'utf8');
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve('anon_max_rate=4000000');
  });
  afterAll(async () => {
    for (const one of servers) await one.stop();
  });

  it('come whole, and are not taken twice', async () => {
    const taking = new Taking();
    const { taken } = await taking.take(server.url, 'a.dat', { via: 'ftp' });
    expect(taking.read('a.dat')).toEqual(body);
    expect(taken).toMatchObject({ bytes: body.length, changedAt: '2025-06-15T15:06:40.000Z' });
    expect((await taking.take(server.url, 'a.dat', { via: 'ftp' })).isNew).toBe(false);
    expect((await taking.look(server.url, 'a.dat', { via: 'ftp' })).isNew).toBe(false);
  });

  it('go on where an earlier run ended, and begin anew where the file changed', async () => {
    const taking = new Taking();
    await taking.broken(server.url, 'a.dat', 400_000, { via: 'ftp' });
    await taking.take(server.url, 'a.dat', { via: 'ftp' });
    expect(taking.read('a.dat')).toEqual(body);
    expect(logOf(server)).toMatch(/"REST [1-9]\d{5,}"/);
    await taking.broken(server.url, 'b.dat', 400_000, { via: 'ftp' });
    const other = randomBytes(2_000_000);
    server.put('pub/asr/r tower é.dat', other);
    await taking.take(server.url, 'b.dat', { via: 'ftp' });
    expect(taking.read('b.dat')).toEqual(other);
  });

  it('that are missing are gone, those that may not be read and folders are named', async () => {
    const taking = new Taking();
    const at = (path: string) => `ftp://127.0.0.1:${server.port}/${path}`;
    server.put('pub/closed.dat', 'x');
    chmodSync(join(server.root, 'pub/closed.dat'), 0o600);
    await expect(taking.take(at('pub/none.dat'), 'n.dat', { via: 'ftp' })).rejects.toMatchObject({ kind: 'gone' });
    await expect(taking.take(at('pub/closed.dat'), 'c.dat', { via: 'ftp' })).rejects.toMatchObject({ kind: 'gone' });
    await expect(taking.take(at('pub/asr'), 'd.dat', { via: 'ftp' })).rejects.toMatchObject({ kind: 'gone' });
  });

  it('wait for a server that is full, and end at one that refuses strangers or passive connections', async () => {
    const full = await serve('max_clients=1', 'anon_max_rate=400000');
    const [first, second] = [new Taking(), new Taking()];
    // The server counts the connection that found it ready for a while.
    const wait = () => pause(20);
    let long: Promise<unknown> = Promise.resolve();
    await new Promise<void>((done, failed) => {
      long = first.take(full.url, 'a.dat', { via: 'ftp', retries: 500, wait, came: () => done() });
      long.catch(failed);
    });
    await expect(second.take(full.url, 'a.dat', { via: 'ftp', retries: 1 })).rejects.toMatchObject({
      kind: 'unreachable',
    });
    expect(second.told.join()).toMatch(/421|too many|closed/i);
    await long;
    expect(first.read('a.dat')).toEqual(body);
    const closed = await serve('anonymous_enable=NO', 'local_enable=YES');
    await expect(new Taking().take(closed.url, 'a.dat', { via: 'ftp' })).rejects.toMatchObject({ kind: 'forbidden' });
    const active = await serve('pasv_enable=NO');
    await expect(new Taking().take(active.url, 'a.dat', { via: 'ftp' })).rejects.toThrow(/550 Permission denied/);
  });

  it('come in spite of a connection that the server ends', async () => {
    const short = await serve('data_connection_timeout=2', 'idle_session_timeout=2', 'anon_max_rate=2000000');
    const taking = new Taking();
    await taking.take(short.url, 'a.dat', { via: 'ftp' });
    expect(taking.read('a.dat')).toEqual(body);
  });
});
