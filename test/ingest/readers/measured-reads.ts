// Reads the files named on the command line one after the other, and prints of each a line of JSON: what reading ended with,
// milliseconds of processor time (of all threads, as getrusage tells), and the most memory that the process has had so far, in megabytes.
import { readFileSync } from 'node:fs';
import { openSource } from '../../../ingest/format.ts';
import { ReadError } from '../../../ingest/reader.ts';

/** Linux counts what a process was before it became this program into its `maxRSS`: a test runner of a gigabyte would show. */
function mostMemory(): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

for (const path of process.argv.slice(2)) {
  // What was left of the file before is none of this one's.
  globalThis.gc?.();
  const began = process.cpuUsage();
  let rows = 0;
  let ended: { code: string; message: string } = { code: 'read', message: '' };
  try {
    const source = await openSource(path, { options: { withoutAttributes: path.endsWith('.shp') } });
    try {
      for await (const batch of source.rows()) {
        rows += batch.length;
        for (const { unread } of batch) if (unread) ended = { code: 'row', message: unread.reason };
      }
    } finally {
      await source.close();
    }
  } catch (error) {
    const { name, message } = error as Error;
    ended = { code: error instanceof ReadError ? error.code : name, message };
  }
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1_000;
  process.stdout.write(`${JSON.stringify({ path, rows, ...ended, ms, mb: mostMemory() })}\n`);
}
process.exit(0);
