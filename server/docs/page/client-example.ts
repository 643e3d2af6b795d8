import { bodyOf, type Call } from './described.ts';

/** A request as the clients send it: the properties of path, query and body as one object. */
export interface ClientExample {
  readonly typescript: string;
  readonly python: string;
}

/** How a language writes what JSON has. */
interface Language {
  readonly words: Readonly<Record<string, string>>;
  readonly object: (entries: readonly (readonly [key: string, value: string])[]) => string;
}

const TYPESCRIPT: Language = {
  words: { true: 'true', false: 'false', null: 'null' },
  object: entries =>
    `{ ${entries.map(([key, value]) => `${/^[a-z_]\w*$/i.test(key) ? key : `'${key}'`}: ${value}`).join(', ')} }`,
};
const PYTHON: Language = {
  words: { true: 'True', false: 'False', null: 'None' },
  object: entries => `{${entries.map(([key, value]) => `"${key}": ${value}`).join(', ')}}`,
};

/** A value as a language writes it. Texts of examples are plain, so that JSON's are those of both. */
function written(value: unknown, language: Language): string {
  if (Array.isArray(value)) return `[${value.map(item => written(item, language)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return language.object(Object.entries(value).map(([key, one]) => [key, written(one, language)]));
  const text = JSON.stringify(value);
  return language.words[text] ?? text;
}

/** A name of the API as Python writes it: fetch_batch of fetchBatch. */
const snake = (id: string): string => id.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** A request in TypeScript and Python. @param input what both send. @param isSession whether an API token does not open it. */
export function clientExample(call: Call, input: Readonly<Record<string, unknown>>, isSession: boolean): ClientExample {
  const { operationId } = call;
  const entries = Object.entries(input);
  const variable = isSession ? 'PLAT_SESSION' : 'PLAT_TOKEN';
  const sent = entries.length > 0 ? written(input, TYPESCRIPT) : '';
  // A body of one of several forms is one argument in Python.
  const terms = bodyOf(call)?.schema?.anyOf
    ? written(input, PYTHON)
    : entries.map(([key, value]) => `${snake(key)}=${written(value, PYTHON)}`).join(', ');
  return {
    typescript: `import { createClient } from '@plat/client';

const plat = createClient({ url: process.env.PLAT_URL!, token: process.env.${variable} });
console.log(await plat.${operationId}(${sent}));`,
    python: `${isSession ? 'import os\n\n' : ''}import plat

client = plat.Client(${isSession ? `token=os.environ["${variable}"]` : ''})
print(client.${snake(operationId)}(${terms}))`,
  };
}
