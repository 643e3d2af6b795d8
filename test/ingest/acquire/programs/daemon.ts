import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../free-port.ts';

/** For how long a server may take to begin. */
const START_MS = 20_000;

/** A server program on this machine, with what it publishes below `root`. */
export interface Daemon {
  readonly port: number;
  readonly folder: string;
  readonly root: string;
  /** Publishes a file, which others may read. */
  put(path: string, content: Buffer | string): void;
  stop(): Promise<void>;
}

const answers = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/**
 * Starts a server in a temporary folder that everybody may enter: such programs give up their rights.
 * @param start returns a program that stays in the foreground, with its arguments.
 */
export async function startDaemon(
  name: string,
  start: (port: number, folder: string) => readonly [string, readonly string[]],
): Promise<Daemon> {
  const folder = mkdtempSync(join(tmpdir(), `plat-${name}-`));
  const root = join(folder, 'root');
  mkdirSync(root);
  chmodSync(folder, 0o755);
  const port = await freePort();
  const [program, args] = start(port, folder);
  let told = '';
  const child: ChildProcess = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', part => {
      told += part;
    });
  const stop = async () => {
    const ended = child.exitCode ?? child.signalCode ?? new Promise(done => child.once('exit', done));
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (const end = Date.now() + START_MS; !(await answers(port)); await pause(50))
    if (child.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error(`${name} did not start: ${told.slice(-1000)}`);
    }
  const put = (path: string, content: Buffer | string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  return { port, folder, root, put, stop };
}
