import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The full log of one run, `PLAT_HOME/logs/<name>-<YYYYMMDD-HHMMSS>.log` (UTC), written while the run goes on. If it cannot be
 * written, the run goes on without it.
 */
export class LogFile {
  /** Null if the log could not be written. */
  path: string | null;

  /** @param home PLAT_HOME, @param name of letters, digits and hyphens, as that of a place. */
  constructor(home: string, name: string, now = new Date()) {
    const moment = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
    this.path = join(home, 'logs', `${name}-${moment}.log`);
    try {
      mkdirSync(join(home, 'logs'), { recursive: true });
    } catch {
      this.path = null;
    }
  }

  add(...lines: readonly string[]): void {
    if (this.path === null || lines.length === 0) return;
    try {
      writeFileSync(this.path, `${lines.join('\n')}\n`, { flag: 'a' });
    } catch {
      this.path = null;
    }
  }

  /** The line that names the log, for people. */
  get line(): string {
    return this.path === null ? 'The log could not be written' : `Log: ${this.path}`;
  }
}
