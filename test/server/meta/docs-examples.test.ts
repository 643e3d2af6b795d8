import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plat, type Served, serve } from '../../contract/plat.ts';
import { freePort } from '../../free-port.ts';
import { root } from '../../house/files.ts';
import { syntheticHome } from '../../synthetic-home.ts';

/** Each request of a pasted example says its status on stderr; those before the last may not fail either. */
const TOLD = `curl() { command curl --max-time 60 -w '%{stderr}status %{http_code}\\n' "$@"; }`;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (html: string) => html.replace(/&(#?\w+);/g, (_, name: string) => ENTITIES[name]!);

interface Sample {
  readonly name: string;
  readonly status: string;
  readonly lines: string;
}

describe('the examples of /v1/docs', { tags: ['curl'] }, () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-docs-'));
  const account = ['--account', 'reader@example.org'];
  let served: Served;
  let samples: Sample[];
  let clients: readonly { readonly language: string; readonly name: string; readonly lines: string }[];
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    cpSync((await syntheticHome()).home, home, { recursive: true });
    const token = plat(home, 'token', 'create', ...account, '--plan', 'scale').stdout.trim();
    const port = String(await freePort());
    served = await serve(home, { PORT: port, PLAT_RATE_LIMIT: 'off' });
    // One of them is for operators alone.
    plat(home, 'account', 'operator', 'reader@example.org');
    const session = plat(home, 'session', 'create', ...account, '--port', port).stdout.trim();
    environment = { ...process.env, PLAT_URL: served.address, PLAT_TOKEN: token, PLAT_SESSION: session };
    const page = await (await fetch(`${served.address}/v1/docs`)).text();
    samples = [
      ...page.matchAll(/<pre [^>]*aria-label="Example of ([^"]+)" data-status="(\d+)"><code>([\s\S]*?)<\/code>/g),
    ].map(([, name, status, lines]) => ({ name: decoded(name!), status: status!, lines: decoded(lines!) }));
    clients = [
      ...page.matchAll(/<pre [^>]*aria-label="(TypeScript|Python): ([^"]+)"[^>]*><code>([\s\S]*?)<\/code>/g),
    ].map(([, language, name, lines]) => ({ language: language!, name: decoded(name!), lines: decoded(lines!) }));
    expect(page).toContain('a place of the release');
  }, 300_000);

  afterAll(async () => {
    served?.child.kill('SIGTERM');
    await served?.ended;
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  // The session ends there.
  const ofLanguage = (language: string) =>
    clients.filter(one => one.language === language && !one.name.endsWith('/sign-out'));

  it('work in TypeScript, and ask each for the answer of curl', async () => {
    const named = `import { createClient } from '@plat/client';\n`;
    const wrong: string[] = [];
    const runs = ofLanguage('TypeScript').map(({ name, lines }) => {
      expect(lines.startsWith(named)).toBe(true);
      return `await run(${JSON.stringify(name)}, async () => {${lines.slice(named.length)}});`;
    });
    const program = `import { createClient } from ${JSON.stringify(join(root, 'client/client.ts'))};
console.log = answer => { if (answer === null || typeof answer !== 'object') throw new Error('no answer'); };
const run = async (name, ask) => { try { await ask(); } catch (error) { process.stdout.write(name + ': ' + error.message + '\\n'); } };
${runs.join('\n')}`;
    const file = join(home, 'examples.ts');
    writeFileSync(file, program);
    const child = spawn(process.execPath, [file], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    wrong.push(...out.split('\n').filter(Boolean), ...errors.split('\n').filter(line => /Error/.test(line)));
    expect(wrong).toEqual([]);
    expect(runs.length).toBeGreaterThan(50);
  }, 120_000);

  it('work in Python', { tags: ['Python'], timeout: 120_000 }, async () => {
    const given = ofLanguage('Python').map(({ name, lines }) => [name, lines]);
    const program = `import json, sys
for name, lines in json.load(sys.stdin):
    try:
        exec(lines, {"print": lambda answer: None})
    except Exception as error:
        print(name + ": " + repr(error))`;
    const child = spawn('python3', ['-c', program], {
      env: { ...environment, PYTHONPATH: join(root, 'client/python') },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(JSON.stringify(given));
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([out, errors]).toEqual(['', '']);
    expect(given.length).toBe(ofLanguage('TypeScript').length);
  });

  it('work as they stand there, one of each operation', async () => {
    const document = (await (await fetch(`${served.address}/v1/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
    );
    expect(samples.map(({ name }) => name).sort()).toEqual(operations.sort());
    const problems: string[] = [];
    // The session ends there.
    const signsOut = ({ name }: Sample) => name.endsWith('/sign-out');
    for (const { name, status, lines } of samples.toSorted((a, b) => Number(signsOut(a)) - Number(signsOut(b)))) {
      const child = spawn('bash', ['-c', `${TOLD}\n${lines}`], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const said = [...errors.matchAll(/^status (\d+)$/gm)].map(([, code]) => code!);
      const before = said.slice(0, -1).every(code => code.startsWith('2'));
      if (said.at(-1) !== status || !before || /\$[A-Z_]{3}/.test(out))
        problems.push(
          `${name}: expected ${status}, got ${said.join(', ')}: ${out.slice(0, 300)} ${errors.slice(0, 300)}`,
        );
    }
    expect(problems).toEqual([]);
  }, 300_000);
});
