import { execFileSync } from 'node:child_process';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** How a worker reaches the database. While it is cut, nothing comes through and nobody is told. */
export interface Line {
  /** The database as the worker names it. */
  readonly url: string;
  /** The command that runs the worker where only this line leads out; none where it runs as all others. */
  readonly within: readonly string[];
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

const quiet = () => {};
const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'ignore' });
const NAME = `plat${process.pid}`;

/** Whether this user may make networks of the kernel: root, with iproute2, where the machine allows it. */
export function mayMakeNetworks(): boolean {
  try {
    ip('netns', 'add', `${NAME}try`);
    ip('netns', 'del', `${NAME}try`);
    return true;
  } catch {
    return false;
  }
}

/** Lets a database with a socket of its folder be reached by TCP. */
async function forwarded(url: string, host: string) {
  let isCut = false;
  const sockets = new Set<Socket>();
  const path = `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`;
  const proxy = createServer(from => {
    const to = dial(path);
    for (const socket of [from, to]) socket.on('error', quiet).on('close', () => [from, to].map(s => s.destroy()));
    from.on('data', chunk => isCut || to.write(chunk));
    to.on('data', chunk => isCut || from.write(chunk));
    sockets.add(from);
  });
  await new Promise<void>(resolve => proxy.listen(0, host, resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `postgresql://plat@${host}:${port}${new URL(url).pathname}`,
    drop(all: boolean) {
      isCut = all;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => proxy.close(resolve));
    },
  };
}

/** A line whose bytes are thrown away on the way; connections stay. @param url of a database with a socket. */
export async function lossyLine(url: string): Promise<Line> {
  const { drop, ...forward } = await forwarded(url, '127.0.0.1');
  return { ...forward, within: [], cut: () => drop(true), mend: () => drop(false) };
}

/** A cable to a network of the kernel in which the worker is alone, which is pulled. @param url as of lossyLine. */
export async function cable(url: string): Promise<Line> {
  const [near, far, network] = [`${NAME}a`, `${NAME}b`, `10.231.${process.pid % 256}`];
  const inside = ['netns', 'exec', NAME, 'ip'];
  ip('netns', 'add', NAME);
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', NAME);
  ip('addr', 'add', `${network}.1/30`, 'dev', near);
  ip('link', 'set', near, 'up');
  ip(...inside, 'addr', 'add', `${network}.2/30`, 'dev', far);
  ip(...inside, 'link', 'set', far, 'up');
  const forward = await forwarded(url, `${network}.1`);
  return {
    url: forward.url,
    within: ['ip', 'netns', 'exec', NAME],
    cut: () => ip('link', 'set', near, 'down'),
    mend: () => ip('link', 'set', near, 'up'),
    async close() {
      await forward.close();
      ip('netns', 'del', NAME);
    },
  };
}
