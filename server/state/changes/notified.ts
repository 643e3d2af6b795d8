import { sql } from 'kysely';
import pg from 'pg';
import { type Changes, listeners } from './changes.ts';

const CHANNEL = 'plat_changes';
/** Milliseconds before a connection that was lost is made anew. */
const AGAIN_MS = 1_000;

/**
 * Whether a connection is of the database itself. A pooler answers for it with a number of its own, and lends the connection
 * behind to one client after the other: what is listened for on one may reach anybody.
 */
async function isDirect(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid === (client as pg.Client & { readonly processID: number | null }).processID;
}

/**
 * Changes over LISTEN and NOTIFY of PostgreSQL, on a connection of their own that opens with the first listener.
 * After a lost connection all listeners are notified, because notices may have been missed. Behind a pooler nobody is notified.
 */
export function notifiedChanges(url: string): Changes {
  const { tell, tellAll, listen } = listeners();
  let client: pg.Client | null = null;
  let again: NodeJS.Timeout | undefined;
  let started = false;
  let closed = false;
  let isHearing = false;

  const connect = async () => {
    const next = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'plat changes' });
    client = next;
    const lost = () => {
      if (client !== next) return;
      client = null;
      isHearing = false;
      next.removeAllListeners('notification');
      next.end().catch(() => {});
      if (!closed) again = setTimeout(() => void connect(), AGAIN_MS * (1 + Math.random())).unref();
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ payload }) => tell(payload ?? ''));
    try {
      await next.connect();
      if (!(await isDirect(next))) {
        client = null;
        await next.end();
        return;
      }
      await next.query(`listen ${CHANNEL}`);
      isHearing = true;
      tellAll();
    } catch {
      lost();
    }
  };

  return {
    get acrossProcesses() {
      return isHearing;
    },
    async tellIn(tx, topic) {
      await sql`select pg_notify(${CHANNEL}, ${topic})`.execute(tx);
    },
    listen(topic, hear) {
      if (!started) void connect();
      started = true;
      return listen(topic, hear);
    },
    async close() {
      closed = true;
      clearTimeout(again);
      const open = client;
      client = null;
      await open?.end().catch(() => {});
    },
  };
}
