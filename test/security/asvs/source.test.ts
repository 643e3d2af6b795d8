// OWASP ASVS 5.0, V1, V11 and V15: what the code never does, so that no input can make it.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const filesOf = (rooms: readonly string[]) =>
  rooms.flatMap(room =>
    readdirSync(new URL(`${room}/`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(?:tsx?|js)$/.test(name) && !/^dist\//.test(name))
      .map(name => ({ name: `${room}/${name}`, text: readFileSync(new URL(`${room}/${name}`, ROOT), 'utf8') })),
  );
const server = filesOf(['datasets', 'ingest', 'pipelines', 'query', 'server']);
const browser = filesOf(['web']);
const naming = (files: typeof server, pattern: RegExp) =>
  files.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>;

it('no text is run as a program or becomes markup', () => {
  const running = /\beval\(|new Function\(|\bFunction\(['"`]|setTimeout\(['"`]|document\.write|insertAdjacentHTML/;
  const markup = /innerHTML|outerHTML|dangerouslySetInnerHTML|srcdoc|createContextualFragment/;
  const all = [...server, ...browser];
  expect(naming(all, running)).toEqual([]);
  expect(naming(all, markup)).toEqual([]);
  // It asks for a collection of garbage, by a text of its own.
  expect(naming(all, /node:vm/)).toEqual(['query/engine/memory/collect.ts']);
  expect(all.length).toBeGreaterThan(600);
});

it('programs are started by name with a list of arguments, never by a shell', () => {
  expect(naming(server, /child_process/).sort()).toEqual([
    'ingest/gdal.ts',
    'server/agent/secrets/program.ts',
    'server/commands/demo.ts',
    'server/commands/open.ts',
  ]);
  expect(naming(server, /\bshell: true|\bexecSync\(|[^.\w]exec\(['"`]|execPromise/)).toEqual([]);
});

it('nothing speaks LDAP, XPath, XML, LaTeX, templates, JNDI, memcache, GraphQL, WebSocket or WebRTC', () => {
  const wanted =
    /ldap|xpath|xml|latex|handlebars|mustache|\bejs\b|nunjucks|\bpug\b|memcache|redis|graphql|^ws$|websocket|socket\.io|webrtc|saml|twilio|svg/i;
  expect(Object.keys({ ...dependencies, ...devDependencies }).filter(name => wanted.test(name))).toEqual([]);
  expect(naming([...server, ...browser], /new WebSocket|RTCPeerConnection|XMLHttpRequest|vm\.Script/)).toEqual([]);
  // The browser's own parser takes KML apart, in a document that no script runs in and that fetches no entity; its texts alone are read.
  expect(naming([...server, ...browser], /DOMParser/)).toEqual(['web/file/kml.ts']);
  expect(naming(browser, /parseFromString\((?!text, 'text\/xml'\))/)).toEqual([]);
});

it('pages take no messages of other windows and use what every browser has', () => {
  expect(naming(browser, /addEventListener\(['"]message['"]|window\.onmessage|\.postMessage\(/)).toEqual([]);
  expect(naming(browser, /<object|<embed|<applet|ActiveXObject|application\/x-shockwave/)).toEqual([]);
});

it('pages keep in the browser the token of the tab, where to return to, the theme, the units, recent places and what was paid for last, and nothing else', () => {
  expect(naming(browser, /localStorage|indexedDB|document\.cookie|caches\.open|serviceWorker/)).toEqual([
    'web/place/recent-places.ts',
    'web/shell/theme.ts',
    'web/values/units.ts',
  ]);
  const stored = browser.flatMap(({ text }) =>
    [...text.matchAll(/sessionStorage\.setItem\((\w+)/g)].map(([, key]) => key),
  );
  expect(stored.sort()).toEqual(['KEY', 'PAID_KEY', 'RETURN_KEY']);
});

it('what nobody may guess is of the system’s randomness; other chance only spreads waits and names parts', () => {
  const chance = naming(server, /Math\.random/);
  const waiting = /sleep\(|setTimeout|backoff|\bms\b/i;
  const drawn = server.filter(({ name }) => chance.includes(name));
  expect(drawn.filter(({ text }) => !waiting.test(text)).map(({ name }) => name)).toEqual([]);
  expect(chance.filter(name => /^server\/(?:auth|provider|device|onboarding|account|oauth)\//.test(name))).toEqual([]);
});

it('codes that open something have 192 bits, and those that people type 20 and more with limits for guessing', () => {
  const bytes = server.flatMap(({ text }) =>
    [...text.matchAll(/CODE_BYTES = (\d+)/g)].map(([, count]) => Number(count)),
  );
  expect(bytes.length).toBeGreaterThan(2);
  expect(Math.min(...bytes)).toBeGreaterThanOrEqual(24);
  const device = server.find(({ name }) => name === 'server/device/operation.ts')!.text;
  const [, letters] = /LETTERS = '(\w+)'/.exec(device)!;
  const [, length] = /USER_CODE_LENGTH = (\d+)/.exec(device)!;
  expect(Number(length) * Math.log2(new Set(letters).size)).toBeGreaterThan(20);
  expect(device).toContain('randomInt(LETTERS.length)');
  expect(device).toMatch(/START_LIMITS|throttled/);
});

it('hashes are SHA-256; MD5 and SHA-1 name contents outside of the server; ciphers are AES-256-GCM', () => {
  const algorithms = (pattern: RegExp) =>
    new Set(
      server.flatMap(({ name, text }) =>
        [...text.matchAll(pattern)].map(([, found]) => `${name.split('/')[0]} ${found}`),
      ),
    );
  const hashes = algorithms(/(?:createHash|createHmac|hkdfSync)\(\s*'([\w-]+)'/g);
  expect([...hashes].filter(line => line.startsWith('server ')).sort()).toEqual(['server sha256']);
  expect([...hashes].filter(line => !/ (?:sha256|sha1|md5)$/.test(line))).toEqual([]);
  expect(naming(server, /createCipheriv|createDecipheriv/)).toEqual(['server/auth/seal.ts']);
  expect(
    naming(
      server,
      /aes-(?!256-gcm)|'(?:des|rc4|bf|ecb|cbc)\b|RSA_PKCS1_PADDING|publicEncrypt|privateDecrypt|createCipher\(/i,
    ),
  ).toEqual([]);
});

it('cryptography is that of Node and of libraries by its experts', () => {
  const own = ['crypto-js', 'node-forge', 'sjcl', 'bcryptjs', 'elliptic', 'tweetnacl', 'jsrsasign', 'md5', 'sha.js'];
  expect(Object.keys(dependencies).filter(name => own.includes(name))).toEqual([]);
  expect(naming(server, /from 'node:crypto'/).length).toBeGreaterThan(10);
});

it('code is TypeScript without memory of its own, addons or a cast of a number to 32 bits in sums of credits', () => {
  expect(naming(server, /\.node['"]|process\.dlopen|node-gyp|ffi-napi/)).toEqual([]);
  const sums = server.filter(({ name }) => /^server\/(?:credits|state\/ledger)/.test(name));
  expect(sums.length).toBeGreaterThan(3);
  expect(naming(sums as typeof server, /\|\s*0\b|>>>\s*0|Int32|Math\.imul/)).toEqual([]);
});

it('the secrets of nobody stand in the code', () => {
  const key = /-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|whsec_[A-Za-z0-9+/=]{32}|sk-[A-Za-z0-9]{32}|ghp_\w{36}/;
  expect(naming([...server, ...browser], key)).toEqual([]);
});

it('a tab that disconnects forgets its token at once, whether the server is there or not', async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const { keepToken, tokenNow } = await import('../../../web/shell/session.ts');
  const { keepPaidAnswer } = await import('../../../web/api/paid-answer.ts');
  keepToken('a token');
  expect(tokenNow()).toBe('a token');
  keepPaidAnswer('drive', 'from here', 1);
  keepToken(null);
  expect([tokenNow(), stored.size]).toEqual([null, 0]);
  vi.unstubAllGlobals();
});

it('patterns are made of words of the code, never of a request', () => {
  const made = server.filter(({ name }) => name.startsWith('server/')).filter(({ text }) => /new RegExp\(/.test(text));
  const given =
    /new RegExp\([^)]*\b(?:body|query|params|headers|request|req|input|email|address|question|url)\b(?!\.(?:replace|url))/;
  expect(made.length).toBeGreaterThan(5);
  // That of the router is of the routes.
  expect(naming(made as typeof server, given).filter(name => name !== 'server/http/methods.ts')).toEqual([]);
});
