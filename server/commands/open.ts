import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { platform } from 'node:process';
import type { Command } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { publicUrlOf } from '../public-url.ts';

/** Milliseconds within which a server that runs answers. */
const ANSWER_MS = 3_000;

/** The program of a system that opens an address in the browser of who calls it, with what stands before the address. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const OPENER: readonly [string, ...string[]] = ['xdg-open'];

/** Opens an address in the browser. @returns whether the system has a program for it. */
async function openInBrowser(address: string): Promise<boolean> {
  const [program, ...before] = OPENERS[platform] ?? OPENER;
  const child = spawn(program, [...before, address], { stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
  } catch {
    return false;
  }
  child.unref();
  return true;
}

/** `plat open`: the explorer of a server in the browser. */
export const openCommand: Command = {
  name: 'open',
  example: 'plat open --port 8080',
  summary: 'Open the explorer of the server that runs here, or at PLAT_PUBLIC_URL, in the browser',
  options: [{ flags: '--print', description: 'Only print its address.' }],
  async run(_args, { print }, terminal) {
    const address = publicUrlOf(readSettings(process.env));
    const answers = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!answers) {
      if (terminal.json) terminal.out(JSON.stringify({ address, answers, opened: false }));
      terminal.err(`Nothing answers at ${address}: start it with plat serve, or name its port with --port`);
      return 1;
    }
    const inBrowser = print !== true && !terminal.json && (await openInBrowser(address));
    terminal.out(terminal.json ? JSON.stringify({ address, answers, opened: inBrowser }) : address);
    if (!inBrowser && print !== true) terminal.err('No browser could be opened here: open the address in one');
    return 0;
  },
};
