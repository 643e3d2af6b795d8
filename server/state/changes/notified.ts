import { sql } from 'kysely';
import pg from 'pg';
import { type Changes, listeners } from './changes.ts';

const CHANNEL = 'plat_changes';
/** Milliseconds before a connection that was lost is made anew. */
const AGAIN_MS = 1_000;

/**
 * Changes over LISTEN and NOTIFY of PostgreSQL, on a connection of their own that opens with the first listener.
 * After a lost connection all listeners are notified, because notices may have been missed.
 */
export function notifiedChanges(url: string): Changes {
  const { tell, tellAll, listen } = listeners();
  let client: pg.Client | null = null;
  let again: NodeJS.Timeout | undefined;
  let started = false;
  let closed = false;

  const connect = async () => {
    const next = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'plat changes' });
    client = next;
    const lost = () => {
      if (client !== next) return;
      client = null;
      next.removeAllListeners('notification');
      next.end().catch(() => {});
      if (!closed) again = setTimeout(() => void connect(), AGAIN_MS * (1 + Math.random())).unref();
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ payload }) => tell(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      tellAll();
    } catch {
      lost();
    }
  };

  return {
    acrossProcesses: true,
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
