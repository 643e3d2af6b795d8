/** Primary result codes of SQLite that point to disk, memory or other processes, not to the statement. */
const SQLITE = new Set([5, 7, 8, 10, 11, 13, 14, 15, 26]);
/** SQLSTATE codes for connection, resources, operator, system, damage, or a standby that takes no writes. */
const SQLSTATE = /^(?:(?:08|28|3D|53|57|58|XX)...|25006)$/;
/** SQLSTATE codes for one transaction that the database gave up: for another one, a lock, or a timeout. */
const GIVEN_UP = new Set(['40001', '40P01', '55P03', '57014']);
/** Messages of the driver, which has no codes for these. */
const DRIVER =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

/**
 * Classifies an error: `store` when the database is unreachable, full or damaged; `work` when it gave up this one piece
 * of work; null when the statement itself is wrong, which is a fault of the program.
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
