import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type DrivenBrowser, ended, openStage } from './browser.ts';

/** Nothing that Firefox fetches by itself. */
const SETTINGS = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.disabledForTesting': true,
  'webgl.force-enabled': true,
  'network.captive-portal-service.enabled': false,
} as const;

interface Answer {
  readonly id?: number;
  readonly type: string;
  readonly result?: unknown;
  readonly message?: string;
}

/** Starts Firefox on a screen of its own; it is driven by WebDriver BiDi. */
export async function openFirefox(): Promise<DrivenBrowser> {
  const stage = await openStage();
  const lines = Object.entries(SETTINGS).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(stage.folder, 'user.js'), lines.join('\n'));
  const args = [
    '--profile',
    stage.folder,
    '--remote-debugging-port',
    '0',
    '--no-remote',
    '--new-instance',
    'about:blank',
  ];
  const child = spawn('firefox-esr', args, { env: stage.env, stdio: ['ignore', 'ignore', 'pipe'] });
  let address = '';
  for await (const line of createInterface({ input: child.stderr! })) {
    [, address = ''] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== '') break;
  }
  child.stderr!.resume();
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  let next = 0;
  const send = async <T>(method: string, params: object): Promise<T> => {
    const id = ++next;
    const answer = await new Promise<Answer>(resolve => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`);
    return answer.result as T;
  };
  await send('session.new', { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const { context } = contexts[0]!;
  return {
    name: 'Firefox',
    async goTo(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async evaluate(expression) {
      const told = await send<{ result: { value: string }; exceptionDetails?: { text: string } }>('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: true,
      });
      if (told.exceptionDetails) throw new Error(told.exceptionDetails.text);
      return JSON.parse(told.result.value ?? 'null');
    },
    async act(actions) {
      await send('input.performActions', { context, actions });
    },
    async picture() {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      await ended(child);
      await stage[Symbol.asyncDispose]();
    },
  };
}
