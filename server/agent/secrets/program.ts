import { spawn } from 'node:child_process';

/** Milliseconds that a program may take: it may ask its user to unlock something. */
const LIMIT_MS = 60_000;

/** What a program that keeps secrets answered; null when there is no such program or it failed. */
export function runProgram(name: string, args: readonly string[], input = ''): Promise<string | null> {
  return new Promise(resolve => {
    // Without a shell: nothing of the arguments is read as a command.
    const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: LIMIT_MS });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', () => resolve(null));
    child.once('close', code => resolve(code === 0 ? output : null));
    // A program that reads nothing ends before it was told.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
