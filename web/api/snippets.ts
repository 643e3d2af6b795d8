import type { ApiRequest } from './api-request.ts';

/** A request as code for another program. */
export interface Snippet {
  readonly language: 'curl' | 'Python' | 'TypeScript';
  readonly text: string;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ method, path, body, isPublic, isStream }: ApiRequest, origin: string): string {
  // Without -N curl holds back what has come.
  const run = isStream ? 'curl -sN' : 'curl -s';
  const lines = [`${run} ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}${quoted(origin + path)}`];
  if (body !== undefined && method !== 'POST') lines[0] = `${run} -X ${method} ${quoted(origin + path)}`;
  if (!isPublic) lines.push('-H "Authorization: Bearer $PLAT_TOKEN"');
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** Writes a JSON value as Python. */
function pythonOf(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const flat = Array.isArray(value)
    ? `[${value.map(item => pythonOf(item)).join(', ')}]`
    : `{${Object.entries(value)
        .map(([key, item]) => `${JSON.stringify(key)}: ${pythonOf(item)}`)
        .join(', ')}}`;
  if (flat.length + indent.length <= 90) return flat;
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map(item => pythonOf(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonOf(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map(line => inner + line).join(',\n')},\n${indent}${close}`;
}

function python({ method, path, body, isPublic, isStream }: ApiRequest, origin: string): string {
  const headers = [
    ...(isPublic ? [] : [`"Authorization": f"Bearer {os.environ['PLAT_TOKEN']}"`]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  return [
    `import json${isPublic ? '' : ', os'}, urllib.request`,
    '',
    ...(body === undefined ? [] : [`body = ${pythonOf(body)}`]),
    'request = urllib.request.Request(',
    `    ${JSON.stringify(origin + path)},`,
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    `    headers={${headers.join(', ')}},`,
    `    method=${JSON.stringify(method)},`,
    ')',
    'with urllib.request.urlopen(request) as answer:',
    ...(isStream
      ? ['    for line in answer:', "        print(line.decode(), end='', flush=True)"]
      : ['    print(json.dumps(json.load(answer), indent=2))']),
  ].join('\n');
}

function typescript({ method, path, body, isPublic, isStream }: ApiRequest, origin: string): string {
  const json = body === undefined ? '' : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
  const short = body === undefined ? '' : JSON.stringify(body);
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code that is shown
    ...(isPublic ? [] : ['authorization: `Bearer ${process.env.PLAT_TOKEN}`']),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ];
  return [
    `const answer = await fetch(${JSON.stringify(origin + path)}, {`,
    `  method: '${method}',`,
    ...(headers.length ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${short.length <= 90 ? short : json}),`]),
    '});',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code that is shown
    'if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);',
    isStream
      ? 'for await (const bytes of answer.body ?? []) process.stdout.write(bytes);'
      : 'console.log(JSON.stringify(await answer.json(), null, 2));',
  ].join('\n');
}

/**
 * Writes a request in three languages. Each snippet works when pasted, with the token in the environment variable
 * PLAT_TOKEN, as `make run` and the documentation call it.
 * @param origin of the server, such as `https://plat.example.org`.
 */
export function snippetsOf(request: ApiRequest, origin: string): readonly Snippet[] {
  return [
    { language: 'curl', text: curl(request, origin) },
    { language: 'Python', text: python(request, origin) },
    { language: 'TypeScript', text: typescript(request, origin) },
  ];
}
