// Reads the files named on the command line one after the other, and prints of each a line of JSON: what reading ended with,
// milliseconds, and the most memory that the process has had so far, in megabytes.
import { openSource } from '../../../ingest/format.ts';
import { ReadError } from '../../../ingest/reader.ts';

for (const path of process.argv.slice(2)) {
  // What was left of the file before is none of this one's.
  globalThis.gc?.();
  const began = performance.now();
  let rows = 0;
  let ended: { code: string; message: string } = { code: 'read', message: '' };
  try {
    const source = await openSource(path, { options: { withoutAttributes: path.endsWith('.shp') } });
    try {
      for await (const batch of source.rows()) rows += batch.length;
    } finally {
      await source.close();
    }
  } catch (error) {
    const { name, message } = error as Error;
    ended = { code: error instanceof ReadError ? error.code : name, message };
  }
  const ms = performance.now() - began;
  process.stdout.write(`${JSON.stringify({ path, rows, ...ended, ms, mb: process.resourceUsage().maxRSS / 1024 })}\n`);
}
process.exit(0);
