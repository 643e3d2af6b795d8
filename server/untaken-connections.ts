import type { Worker } from 'node:cluster';

/** A connection that is being passed to another process: a handle of libuv. */
interface Handle {
  close(): void;
}

/** The messages about a connection between node:cluster and a process. */
interface Handing {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes the connections that were passed to a process which ended before it took them. node:cluster waits for its
 * reply, which never comes, and would keep these connections open for as long as their clients wait.
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
