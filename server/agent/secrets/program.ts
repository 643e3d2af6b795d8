import { spawn } from 'node:child_process';

/** Milliseconds that the program may take. It may ask the user to unlock something. */
const LIMIT_MS = 60_000;

/** Runs a program that stores secrets. @returns its output; null when there is no such program or it failed. */
export function runProgram(name: string, args: readonly string[], input = ''): Promise<string | null> {
  return new Promise(resolve => {
    // Without a shell, so that no argument is read as a command.
    const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: LIMIT_MS });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', () => resolve(null));
    child.once('close', code => resolve(code === 0 ? output : null));
    // A program that does not read stdin may have ended before the write.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
