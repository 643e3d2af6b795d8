// Opens the current release of a home as a server does, with two workers, and says what that took: run in a process of its own.
import { createEngine } from '../../query/engine/engine.ts';
import { currentId, openReleaseById } from '../../query/release/open-release.ts';

const [home, what] = process.argv.slice(2) as [string, string];
const before = process.memoryUsage.rss();
const began = performance.now();
if (what === 'release') openReleaseById(home, currentId(home)!);
else await createEngine({ home, workers: 2, queue: 1000, memoryMb: 1024 });
const seconds = (performance.now() - began) / 1000;
globalThis.gc?.();
const mb = (process.memoryUsage.rss() - before) / 2 ** 20;
process.stdout.write(`${JSON.stringify({ seconds, mb })}\n`, () => process.exit(0));
