import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { freePort } from '../../free-port.ts';
import { type DrivenBrowser, ended, openStage } from './browser.ts';

/** WebKit's browser for such tests, which comes with its library. */
const MINI_BROWSER = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser';

/** Starts WebKit's MiniBrowser on a screen of its own; it is driven by WebDriver. */
export async function openWebKit(): Promise<DrivenBrowser> {
  const stage = await openStage();
  const port = await freePort();
  const child = spawn('WebKitWebDriver', [`--port=${port}`], { env: stage.env, stdio: 'ignore' });
  const base = `http://127.0.0.1:${port}/session`;
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(base + path, { method, body: body && JSON.stringify(body) });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  };
  const capabilities = {
    alwaysMatch: { 'webkitgtk:browserOptions': { binary: globSync(MINI_BROWSER)[0]!, args: ['--automation'] } },
  };
  let session = '';
  // The driver listens a moment after it has begun.
  for (let left = 100; session === ''; left--)
    await send<{ sessionId: string }>('POST', '', { capabilities }).then(
      ({ sessionId }) => {
        session = `/${sessionId}`;
      },
      async (error: Error) => {
        if (left === 0 || error.name !== 'TypeError') throw error;
        await new Promise(resolve => setTimeout(resolve, 200));
      },
    );
  return {
    name: 'WebKit',
    async goTo(url) {
      await send('POST', `${session}/url`, { url });
    },
    async evaluate(expression) {
      const script = `return JSON.stringify(${expression})`;
      return JSON.parse((await send<string | null>('POST', `${session}/execute/sync`, { script, args: [] })) ?? 'null');
    },
    async act(actions) {
      await send('POST', `${session}/actions`, { actions });
    },
    async picture() {
      return Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64');
    },
    async [Symbol.asyncDispose]() {
      await send('DELETE', session).catch(() => {});
      await ended(child);
      await stage[Symbol.asyncDispose]();
    },
  };
}
