import type { Worker } from 'node:cluster';

/** A connection on its way to another process: a handle of libuv. */
interface Handle {
  close(): void;
}

/** What node:cluster says to a process of a connection, and hears of it. */
interface Handing {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes the connections that a process was handed and did not take when it ends: node:cluster waits for its word, which
 * never comes, and would keep them open for as long as their clients wait.
 */
export function closeUntaken({ process: child }: Worker): void {
  const untaken = new Map<number, Handle>();
  const send = child.send.bind(child) as (...terms: unknown[]) => boolean;
  child.send = ((message: Handing, handle?: Handle, ...more: unknown[]) => {
    if (message?.act === 'newconn' && message.seq !== undefined && handle) untaken.set(message.seq, handle);
    return send(message, handle, ...more);
  }) as typeof child.send;
  child.on('internalMessage', ({ ack }: Handing) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  child.once('exit', () => {
    for (const handle of untaken.values()) handle.close();
    untaken.clear();
  });
}
