// A keeper of two processes (server/processes.ts). The first two serve for a moment and are killed; those that start then are killed
// before they listen; from the fifth on they serve. Argument: a file that counts the starts. Writes each address, and what the keeper
// warns of.
import { appendFileSync, statSync } from 'node:fs';
import { isKept, keepServing, tellKeeper } from '../../../server/processes.ts';

const [starts] = process.argv.slice(2) as [string];
const die = () => process.kill(process.pid, 'SIGKILL');

if (isKept) {
  appendFileSync(starts, '.');
  const count = statSync(starts).size;
  if (count === 3 || count === 4) die();
  tellKeeper({ address: count <= 2 ? 'first' : 'again', lines: [] });
  if (count <= 2) setTimeout(die, 100);
  else setInterval(() => {}, 1_000);
} else {
  const stop = Promise.withResolvers<void>();
  process.exitCode = await keepServing(2, {
    greet({ address }) {
      console.log(address);
      if (address === 'again') stop.resolve();
    },
    warn: line => console.log(line),
    stop: stop.promise,
  });
}
