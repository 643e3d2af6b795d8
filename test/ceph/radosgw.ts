import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, vi } from 'vitest';
import { freePort } from '../free-port.ts';

/** An S3 server: the gateway of a Ceph cluster of its own, on this machine. */
interface Gateway {
  /** Variables by which the SDK finds it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const [ACCESS, SECRET] = ['PLATTESTS', 'c2VjcmV0LW9mLXRoZS10ZXN0cw'];
/** How long the days of its rules are. */
const DAY_SECONDS = 2;
/** For how long the cluster may take to begin. */
const START_MS = 180_000;

/** One monitor and one disk in memory: nothing is kept, and one copy of each object is enough. */
const configuration = (folder: string, monitor: number, gateway: number) => `
[global]
fsid = ${randomUUID()}
mon host = v2:127.0.0.1:${monitor}
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = ${folder}/keyring
run dir = ${folder}
admin socket =
log file = ${folder}/$name.log
crash dir = ${folder}
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
public addr = 127.0.0.1
[mon]
mon data = ${folder}/mon
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 8589934592
# On a machine that is very busy a thread waits longer than the 150 s after which the disk ends itself.
osd op thread suicide timeout = 3600
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${gateway}
rgw run sync thread = false
rgw lc debug interval = ${DAY_SECONDS}
`;

/** Starts a cluster in a temporary folder, with a bucket of the name. @throws Error with the end of the log of what did not begin. */
async function startGateway(bucket: string): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-ceph-'));
  const [monitor, gateway] = (await Promise.all([freePort(), freePort()])) as [number, number];
  const conf = join(folder, 'ceph.conf');
  const keys = join(folder, 'keyring');
  writeFileSync(conf, configuration(folder, monitor, gateway));
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, name));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: START_MS });
  const children: ChildProcess[] = [];
  const kill = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', kill);
  const daemon = (program: string, ...args: string[]) => {
    const log = openSync(join(folder, `${program}.out`), 'a');
    children.push(spawn(program, ['-c', conf, '-f', ...args], { stdio: ['ignore', log, log] }));
    closeSync(log);
  };
  const stop = async () => {
    // Nothing of it is kept.
    kill();
    process.off('exit', kill);
    await Promise.all(
      children.map(child => child.exitCode ?? child.signalCode ?? new Promise(ended => child.once('exit', ended))),
    );
    rmSync(folder, { recursive: true });
  };
  const url = `http://127.0.0.1:${gateway}`;
  try {
    const allows = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
    run('ceph-authtool', '--create-keyring', keys, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
    for (const name of ['client.admin', 'client.rgw']) run('ceph-authtool', keys, '--gen-key', '-n', name, ...allows);
    run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, join(folder, 'monmap'));
    run('ceph-mon', '-c', conf, '--mkfs', '-i', 'a', '--monmap', join(folder, 'monmap'), '--keyring', keys);
    daemon('ceph-mon', '-i', 'a');
    const ceph = (...args: string[]) => run('ceph', '-c', conf, '--connect-timeout', '60', ...args);
    const disk = randomUUID();
    const id = ceph('osd', 'new', disk).trim();
    run('ceph-authtool', keys, '--gen-key', '-n', `osd.${id}`, ...allows);
    ceph('auth', 'add', `osd.${id}`, '-i', keys);
    run('ceph-osd', '-c', conf, '--mkfs', '-i', id, '--osd-uuid', disk);
    daemon('ceph-osd', '-i', id);
    daemon('radosgw', '-n', 'client.rgw');
    run(
      'radosgw-admin',
      '-c',
      conf,
      '-n',
      'client.rgw',
      'user',
      'create',
      '--uid=plat',
      '--display-name=plat',
      `--access-key=${ACCESS}`,
      `--secret=${SECRET}`,
    );
    for (const end = Date.now() + START_MS; ; await pause(200))
      if (
        await fetch(url).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break;
      else if (Date.now() > end) throw new Error('the gateway does not answer');
  } catch (error) {
    const told = ['ceph-mon', 'ceph-osd', 'radosgw']
      .map(name => join(folder, `${name}.out`))
      .filter(path => existsSync(path));
    const logs = told.map(path => `${path}: ${readFileSync(path, 'utf8').slice(-1000)}`);
    await stop();
    throw new Error(`Ceph did not start: ${(error as Error).message}\n${logs.join('\n')}`, { cause: error });
  }
  const env = {
    AWS_ENDPOINT_URL_S3: url,
    AWS_REGION: 'default',
    AWS_ACCESS_KEY_ID: ACCESS,
    AWS_SECRET_ACCESS_KEY: SECRET,
  };
  const client = new S3Client({
    endpoint: url,
    region: 'default',
    forcePathStyle: true,
    credentials: { accessKeyId: ACCESS, secretAccessKey: SECRET },
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { env, stop };
}

/** A gateway for the tests of a file, with a bucket; the variables of the SDK point to it. */
export function useGateway(bucket: string): () => Gateway {
  let gateway: Gateway | undefined;
  beforeAll(async () => {
    gateway = await startGateway(bucket);
    for (const [name, value] of Object.entries(gateway.env)) vi.stubEnv(name, value);
  }, 2 * START_MS);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gateway?.stop();
  });
  return () => gateway!;
}
