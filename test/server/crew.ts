import { connect } from 'node:net';
import { expect } from 'vitest';
import { type Served, serve, until } from '../contract/plat.ts';

/** A keeper and what can be seen of the processes that it keeps. */
export interface Crew extends Served {
  readonly port: number;
  /** Ids of the processes that have logged, by the messages that they logged. */
  pids(message: string): number[];
  warnings(): number;
}

/** Starts a keeper of two processes. */
export async function serveCrew(home: string, env: Record<string, string> = {}): Promise<Crew> {
  const served = await serve(home, { PLAT_PROCESSES: '2', PLAT_LOG: 'info', ...env });
  let log = '';
  served.child.stderr!.on('data', chunk => {
    log += chunk;
  });
  const pids = (message: string) => {
    const lines = log.split('\n').filter(line => line.startsWith('{') && line.endsWith('}'));
    const entries = lines.map(line => JSON.parse(line) as { pid: number; msg: string });
    return [...new Set(entries.filter(({ msg }) => msg.startsWith(message)).map(({ pid }) => pid))];
  };
  const warnings = () => log.split('another one takes its place').length - 1;
  return { ...served, port: Number(new URL(served.address).port), pids, warnings };
}

/** Waits until it is so. */
export const eventually = async (wanted: () => boolean | Promise<boolean>) =>
  expect(await until(async () => wanted(), Boolean)).toBe(true);

/** Whether a process runs. */
export const runs = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The status of one request by a connection of its own. */
export const ask = async ({ address }: Crew) =>
  (await fetch(`${address}/healthz`, { headers: { connection: 'close' } }).catch(() => null))?.status ?? 0;

/** Asks until so many processes have answered. */
export const answered = (crew: Crew, count: number) =>
  eventually(async () => (await ask(crew)) === 200 && crew.pids('request').length === count);

/** A connection that asks for health and waits until it is closed. */
export function begun(port: number) {
  let read = '';
  const socket = connect(port, '127.0.0.1');
  const sent = new Promise<void>(resolve =>
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', () => resolve()),
  );
  const ended = new Promise<void>(resolve => {
    socket.on('data', chunk => {
      read += chunk;
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve());
  });
  return { sent, ended, text: () => read };
}
