import { html, Markup } from '../../http/markup.ts';
import { bodyOf, type Call, type Schema } from './described.ts';
import type { Example } from './example.ts';
import { recordedAnswers } from './recorded-answers.ts';
import { rowsOf, type SchemaRow, typeOf } from './schema-rows.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** Text of a description: paragraphs, and names between backticks. */
export const prose = (text: string): Markup =>
  html`${text
    .split('\n\n')
    .filter(Boolean)
    .map(paragraph => html`<p>${inline(paragraph)}</p>`)}`;

const inline = (text: string): Markup =>
  html`${text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;

/** An example with a button that copies it. @param name for who does not see it. */
export const sample = (
  { text, status, note }: Omit<Example, 'clients'>,
  name: string,
): Markup => html`<div class="sample"><button type="button" data-copy>Copy<span class="unseen">: ${name}</span></button><pre tabindex="0" role="region" aria-label="${name}" data-status="${status}"><code>${text}</code></pre></div>
${note === null ? new Markup('') : html`<p class="soft">${inline(note)}</p>`}`;

/** The same request with the clients. */
function clientSamples({ clients }: Example, name: string): Markup {
  if (clients === null) return html``;
  const language = (title: string, text: string) =>
    html`<details><summary>${title}</summary>${sample({ text, status: '', note: null }, `${title}: ${name}`)}</details>`;
  return html`${language('TypeScript', clients.typescript)}${language('Python', clients.python)}`;
}

/** The answer to an example, as it was given about the synthetic area; nothing of operations without a body. */
function answerSample({ operationId, method, path }: Call): Markup {
  const answer = recordedAnswers()[operationId];
  if (!answer) return html``;
  return html`<p class="soft">An answer to it, of a server of the synthetic area, shortened:</p>
<div class="sample"><pre tabindex="0" role="region" aria-label="Answer to ${method} ${path}"><code>${answer.text}</code></pre></div>`;
}

function folded(title: string, rows: readonly SchemaRow[], open = false): Markup {
  if (rows.length === 0) return html``;
  return html`<details${new Markup(open ? ' open' : '')}><summary>${title}</summary><div class="scroll"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(
    row => html`<tr><td><code>${row.name}</code>${row.required ? html` <span class="must">required</span>` : ''}</td><td>${row.type}</td><td>${inline(row.description)}</td></tr>
`,
  )}</tbody></table></div></details>`;
}

/** Codes that an operation can answer, by status. */
function errorsOf({ responses }: Call): Markup {
  const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const codes = (description: string) => [...description.matchAll(/^`(\w+)`: /gm)].map(([, code]) => code!);
  return html`<details><summary>Errors</summary><div class="scroll"><table>
<thead><tr><th scope="col">HTTP</th><th scope="col">Codes</th></tr></thead>
<tbody>${refused.map(([status, { description }]) => {
    const links = codes(description).map(code => html`<a href="#error-${code}"><code>${code}</code></a> `);
    const shape = /^A list under/m.test(description) ? 'a list of what is wrong with the shape' : '';
    return html`<tr><td>${status}</td><td class="codes">${links}${shape}</td></tr>
`;
  })}</tbody></table></div></details>`;
}

/** Who may call it. */
function needs({ security = [] }: Call): string {
  const names = security.flatMap(Object.keys);
  if (names.length === 0) return 'Needs no token.';
  return names.includes('bearer') ? 'Needs an API token or a session.' : 'Needs a browser session.';
}

/** Everything about one operation. */
export function operationSection(call: Call, example: Example, schemas: Schemas): Markup {
  const body = bodyOf(call);
  const parameters = (call.parameters ?? []).map(({ name, schema = {}, description, required, in: place }) => ({
    name: place === 'header' ? `${name} (header)` : name,
    type: typeOf(schema, schemas),
    required: required ?? false,
    description: description ?? schema.description ?? '',
  }));
  const answers = Object.entries(call.responses).filter(([status]) => status.startsWith('2'));
  return html`<section class="call" id="${call.operationId}">
<h3>${call.summary ?? call.path}</h3>
<p class="address"><span class="method">${call.method}</span> <code>${call.path}</code> <span class="soft">${needs(call)}</span></p>
${prose(call.description ?? '')}
${sample(example, `Example of ${call.method} ${call.path}`)}
${clientSamples(example, `${call.method} ${call.path}`)}
${answerSample(call)}
${folded('Parameters', parameters, true)}
${body?.schema ? folded('Body', rowsOf(body.schema, schemas), true) : ''}
${answers.map(([status, { content = {} }]) => {
  const [type, media] = Object.entries(content)[0] ?? ['nothing', {}];
  const rows = media.schema ? rowsOf(media.schema, schemas) : [];
  return rows.length > 0
    ? folded(`Answer ${status}`, rows)
    : html`<p class="soft">Answers ${status}${type === 'nothing' ? ', without a body' : `: ${Object.keys(content).join(' or ')}`}.</p>`;
})}
${errorsOf(call)}
</section>
`;
}
