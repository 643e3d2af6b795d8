import { mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { pino } from 'pino';
import type { Settings } from '../query/engine/settings.ts';

const STDERR = 2;

/** Opens a file for appending. @throws system errors that name the file when it cannot be opened. */
function openForAppend(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  return openSync(path, 'a', 0o600);
}

/**
 * The log of a serving process: lines of JSON on stderr, or appended to a file that several processes may share.
 * @throws system errors when the file cannot be opened.
 */
export const serverLog = ({ log, logFile }: Pick<Settings, 'log' | 'logFile'>) =>
  pino({ level: log }, pino.destination({ dest: logFile === '' ? STDERR : openForAppend(logFile), sync: false }));
