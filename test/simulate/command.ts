import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** What a command of the simulation said. */
export interface Said {
  readonly code: number;
  readonly text: string;
  /** How often there was each kind of trouble, by seeds. */
  readonly seeds: number;
  readonly meanSteps: number;
  readonly kinds: Readonly<Record<string, number>>;
}

/** Runs the simulation in a process of its own, whose clock and timers it may replace. */
export function simulate(...args: readonly string[]): Promise<Said> {
  const child = spawn(process.execPath, ['--experimental-strip-types', '--no-warnings', MAIN, ...args]);
  let text = '';
  child.stdout.on('data', chunk => {
    text += chunk;
  });
  child.stderr.on('data', chunk => {
    text += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      const summary = text.split('\n').find(line => line.startsWith('{"seeds"')) ?? '{}';
      resolve({ code: code ?? -1, text, ...JSON.parse(summary) });
    });
  });
}
