/** Primary result codes of SQLite that speak of disk, memory or other processes and not of the statement. */
const SQLITE = new Set([5, 7, 8, 10, 11, 13, 14, 15, 26]);
/** SQLSTATE that speaks of connection, resources, operator, system, damage, or a standby that takes no writes. */
const SQLSTATE = /^(?:(?:08|28|3D|53|57|58|XX)...|25006)$/;
/** One piece of work that the database gave up: for another transaction, a lock, or its time. */
const GIVEN_UP = new Set(['40001', '40P01', '55P03', '57014']);
/** The driver has no codes for these. */
const DRIVER =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

/**
 * What an error says about the database: that it does not do its part (`store`: unreachable, full, damaged), that it
 * gave up this one piece of work, or null: the statement itself is wrong, a fault of the program.
 */
export function outageOf(error: unknown): 'store' | 'work' | null {
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: unknown };
  if (typeof errcode === 'number') return SQLITE.has(errcode & 0xff) ? 'store' : null;
  if (typeof code === 'string') {
    if (GIVEN_UP.has(code)) return 'work';
    if (SQLSTATE.test(code) || /^E[A-Z]+$/.test(code)) return 'store';
  }
  return typeof message === 'string' && DRIVER.test(message) ? 'store' : null;
}
