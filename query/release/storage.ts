import { statfsSync } from 'node:fs';

/** What the system or SQLite or DuckDB says when it cannot write, and what that means. */
const PROBLEMS: readonly { readonly says: RegExp; readonly means: string; readonly advice: string }[] = [
  {
    says: /\bENOSPC\b|no space left on device|database or disk is full/i,
    means: 'the disk is full',
    advice: 'free space on it or set PLAT_HOME to a folder on a larger one',
  },
  {
    says: /\bEDQUOT\b|disk quota exceeded/i,
    means: 'the disk quota of this user is used up',
    advice: 'free space or have the quota raised',
  },
  {
    says: /\bEFBIG\b|file too large/i,
    means: 'a file would grow beyond what this system allows',
    advice: 'raise the limit (ulimit -f) or set PLAT_HOME to a file system that takes larger files',
  },
  {
    says: /\bEROFS\b|read-only file system|readonly database/i,
    means: 'it is read-only',
    advice: 'mount it writable or set PLAT_HOME to a folder that is',
  },
  {
    says: /\b(?:EACCES|EPERM)\b|permission denied/i,
    means: 'this user may not write there',
    advice: 'give this user write access or set PLAT_HOME to a folder of its own',
  },
];

/** Errors that name no cause: SQLite's when the file system fails it in the middle. */
const VAGUE = /disk I\/O error|unable to open database file/i;

function free(folder: string): string {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return ` (${((bavail * bsize) / 1_048_576).toFixed(1)} MiB free)`;
  } catch {
    return '';
  }
}

/** An error's message and those of its causes. */
function textOf(error: unknown): string {
  const texts: string[] = [];
  for (let e = error; e instanceof Error && texts.length < 5; e = e.cause)
    texts.push(`${(e as NodeJS.ErrnoException).code ?? ''} ${e.message}`);
  return texts.join('; ');
}

/**
 * Why a folder could not be written to and what to do, when that is what an error says; null for any other error. Who
 * may read what is no question of storage: a refused permission counts only where the message names the folder.
 * @param folder that was to be written to.
 */
export function storageProblem(error: unknown, folder: string): string | null {
  const text = textOf(error);
  for (const { says, means, advice } of PROBLEMS) {
    if (!says.test(text)) continue;
    if (/EACCES|EPERM|permission/i.test(says.source) && !text.includes(folder)) continue;
    return `${folder} cannot be written: ${means}${means.includes('full') ? free(folder) : ''}; ${advice}`;
  }
  if (VAGUE.test(text))
    return `${folder} cannot be written (${VAGUE.exec(text)![0]}): is its disk full${free(folder)}, read-only or failing?`;
  return null;
}
