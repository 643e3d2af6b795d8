import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, root } from './files.ts';

/** The type that listens for all others, and programs that wait for a child of theirs or for the end of their input. */
const LISTENING = ['server/lease/lease.ts', 'server/agent/secrets/program.ts', 'server/agent/adapter.ts'];

const LISTENS =
  /\.(?:once|on|addListener|prependListener)\(\s*'(?:close|finish|aborted)'|addEventListener\(\s*'abort'|\bfinished\(/;

it('what a request or a connection holds is a lease: a listener of its own may come after the end that it waits for', () => {
  const own = filesBelow('server').filter(file => LISTENS.test(readFileSync(join(root, file), 'utf8')));
  expect(own.filter(file => !LISTENING.includes(file))).toEqual([]);
});
