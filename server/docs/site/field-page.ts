import type { Static } from 'typebox';
import type { Catalog } from '../../../datasets/catalog.ts';
import type { Assessment, ConfidenceRule, Layer } from '../../../datasets/dataset.ts';
import { AREA_FORMS } from '../../../query/evaluate/operators/area-forms.ts';
import { layersRead } from '../../../query/evaluate/version.ts';
import { html, Markup } from '../../http/markup.ts';
import type { FieldMeta, FieldsResponse } from '../../meta/schema.ts';
import type { Figures } from './figures.ts';
import type { SiteContent } from './frame.ts';

/** A field as /v1/meta/fields tells it. */
export type FieldEntry = Static<typeof FieldMeta>;
/** A name that is no field of the fetch catalog, such as an attribute of parcels. */
export type FurtherEntry = Static<typeof FieldsResponse>['further_names'][number];
/** The document of /v1/meta/fields. */
export type FieldsDocument = Omit<Static<typeof FieldsResponse>, 'fields'> & { readonly fields: readonly FieldEntry[] };

/** What makes a value sure or less sure, in words (docs/operators.md). */
function confidenceWords(rule: ConfidenceRule): string {
  switch (rule.kind) {
    case 'const':
      return `${rule.level}, by the source alone`;
    case 'edge_m':
      return `high where the boundary that decides is more than ${rule.metres} m away, else medium`;
    case 'station_km':
      return `high within ${rule.high} km of the nearest station used, medium within ${rule.medium} km, else low`;
    case 'parcel_match':
      return 'high where the parcel contains the point, medium where it is near, low by its address alone';
    case 'cv':
      return `high where the standard error is at most ${rule.high} percent of the estimate, medium up to ${rule.medium} percent, else low; medium where no margin is published`;
    case 'sign':
      return `low where the value is within ${rule.errors} standard errors of zero, for its sign decides`;
    case 'min_inputs':
      return 'the lowest of its inputs';
  }
}

const assessedLine = ({ figure, unit, means, page }: Assessment) =>
  html`${figure} ${unit}: ${means} (<a href="${page}">${new URL(page).host}</a>)`;

/** What is known of how right the layers of a field are: what their publishers state, and what studies found. */
function accuracyOf(catalog: Catalog, name: string): Markup[] {
  return layersRead(catalog, name).flatMap(id => {
    const [dataset = '', layer = 'main'] = id.split(':');
    const found: Layer | undefined = catalog.datasets.get(dataset)?.layers[layer];
    if (!found) return [];
    const stated = 'accuracyM' in found && found.accuracyM !== undefined;
    return [
      ...(stated ? [html`${id}: within ${found.accuracyM} m of the true place for nine of ten points`] : []),
      ...('assessed' in found ? (found.assessed ?? []).map(assessedLine) : []),
    ];
  });
}

const list = (items: readonly (string | Markup)[]) => html`<ul>${items.map(item => html`<li>${item}</li>`)}</ul>`;
const codes = (names: readonly string[]) =>
  html`${names.map((name, i) => html`${i > 0 ? ', ' : ''}<code>${name}</code>`)}`;
const fact = (term: string, value: unknown) =>
  value === null || value === '' ? html`` : html`<dt>${term}</dt><dd>${value}</dd>`;

/** Which of the parcels have a value, or why none has. */
function heldWords({ installed, why_not, parcel_share }: Pick<FieldEntry, 'installed' | 'why_not' | 'parcel_share'>) {
  if (!installed || why_not !== null) return `Not answered in this release: ${why_not ?? 'a layer is not installed'}.`;
  return parcel_share === null
    ? 'Answered in this release.'
    : `Answered in this release; ${(parcel_share * 100).toFixed(1)} percent of its parcels have a value.`;
}

/** The example request for a name, at a place of the open release where one is known. */
function example(name: string, surfaces: readonly string[], point: { readonly lat: number; readonly lng: number }) {
  const endpoint = surfaces.includes('fetch') ? 'fetch' : surfaces.includes('enrich') ? 'enrich' : 'search';
  const body =
    endpoint === 'search'
      ? { filters: [{ field: 'state', op: 'eq', value: 'ME' }], fields: [name] }
      : { lat: point.lat, lng: point.lng, fields: [name] };
  return `curl -s "$PLAT_URL/v1/${endpoint}" -H "Authorization: Bearer $PLAT_TOKEN" \\
  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}

const rangeOf = (values: FieldEntry['enum_values']) =>
  values === null ? null : codes(values.map(value => JSON.stringify(value)));

/** The questions that a field answers: the words that lead to it, and what it decides. */
function questions({ terms }: Pick<FieldEntry, 'terms'>, matter: string | null) {
  return html`<h2 id="questions">Questions that it answers</h2>
${matter === null ? '' : html`<p>Whether ${matter}.</p>`}
${terms.length > 0 ? html`<p>Questions in plain language find it by these words: ${terms.join(', ')}.</p>` : ''}`;
}

const headed = (id: string, title: string, content: Markup) =>
  content.text === '' ? html`` : html`<h2 id="${id}">${title}</h2>\n${content}\n`;

/** Where the values of a release come from. */
function sourcesOf({ in_release }: FieldEntry) {
  if (in_release.length === 0) return html``;
  return html`<div class="scroll"><table><thead><tr><th>Layer</th><th>Publisher</th><th>Vintage</th><th>Places</th></tr></thead><tbody>
${in_release.map(
  one => html`<tr><td><code>${one.layer}</code></td><td>${one.publisher}${one.note === null ? '' : html`<br><span class="soft">${one.note}</span>`}</td><td>${one.vintage}</td><td>${one.places.join(', ')}${one.place_count > one.places.length ? ` and ${one.place_count - one.places.length} more` : ''}</td></tr>
`,
)}</tbody></table></div>`;
}

interface PageTerms {
  readonly catalog: Catalog;
  /** Null where none is open. */
  readonly release: string | null;
  readonly point: { readonly lat: number; readonly lng: number };
  readonly figures: Figures;
}

/** The page of a field of the fetch catalog. */
export function fieldPage(entry: FieldEntry, { catalog, release, point, figures }: PageTerms): SiteContent {
  const { name, title, description, hint, type, unit, surfaces, verdict } = entry;
  const field = catalog.fields.get(name)!;
  const accuracy = accuracyOf(catalog, name);
  const credits = [...new Set(Object.values(entry.billing.credits))].sort((a, b) => b - a).join(' or ');
  const isNumber = type === 'number' || type === 'integer';
  return {
    path: `/docs/fields/${name}`,
    title: `${title} (${name})`,
    content: html`<p class="soft"><a href="/docs/fields">Field dictionary</a> · ${entry.layer.replaceAll('_', ' ')}</p>
<h1 id="${name}">${title}</h1>
<p><code>${name}</code></p>
<p>${description}</p>
<p>${hint}</p>
${release === null ? '' : html`<p>${heldWords(entry)}</p>`}
<dl class="facts">
${fact('Type', unit === null ? type : `${type}, ${unit}`)}
${fact('Values', rangeOf(entry.enum_values))}
${fact('Rounded to', entry.precision === null ? null : `${entry.precision} ${unit ?? ''}`)}
${fact('Publisher', entry.source_url === null ? entry.publisher : html`<a href="${entry.source_url}">${entry.publisher}</a>`)}
${fact('License', entry.licence)}
${fact('Vintage here', entry.vintage)}
${fact('How it is found', html`<code>${entry.operator}</code> (<a href="/docs/operators">operators</a>)`)}
${fact('Over a site', AREA_FORMS.has(field.expression.op) ? 'of its whole ground' : 'at its interior point alone')}
${fact('Confidence', confidenceWords(field.confidence))}
${fact('Accuracy', accuracy.length > 0 ? list(accuracy) : 'Nobody states one.')}
${fact('May be kept', `${Math.round(entry.ttl_seconds / 86_400)} days`)}
${fact('Price', `${credits} ${credits === '1' ? 'credit' : 'credits'} ${entry.billing.charged}; free in search and enrichment`)}
${fact('Accepted by', codes(surfaces))}
${fact('Filters', entry.filter_operators.length > 0 ? codes(entry.filter_operators) : null)}
${fact('Presets', entry.presets.length > 0 ? codes(entry.presets) : null)}
${fact('Spread of values', isNumber && release !== null ? html`<a href="/v1/meta/quantiles?fields=${name}">quantiles of the parcels</a>` : null)}
</dl>
${questions(entry, verdict?.matter ?? null)}
${headed('coverage', 'Coverage in this release', html`${figures.coverage}${sourcesOf(entry)}`)}${headed('spread', 'Spread of the values', figures.spread)}<h2 id="example">Example</h2>
<pre><code>${example(name, surfaces, point)}</code></pre>`,
  };
}

/** The page of another name. */
export function furtherPage(entry: FurtherEntry, { release, point, figures }: PageTerms): SiteContent {
  const { name, kind, description, hint, type, unit, surfaces } = entry;
  return {
    path: `/docs/fields/${name}`,
    title: name,
    content: html`<p class="soft"><a href="/docs/fields">Field dictionary</a> · ${kind.replaceAll('_', ' ')}</p>
<h1 id="${name}"><code>${name}</code></h1>
<p>${description}</p>
${hint === null ? '' : html`<p>${hint}</p>`}
${release === null ? '' : html`<p>${heldWords(entry)}</p>`}
<dl class="facts">
${fact('Type', unit === null ? type : `${type}, ${unit}`)}
${fact('Dataset', html`<code>${entry.dataset}</code>`)}
${fact('Vintage here', entry.vintage)}
${fact('Price', 'free in search and enrichment')}
${fact('Accepted by', codes(surfaces))}
${fact('Filters', entry.filter_operators.length > 0 ? codes(entry.filter_operators) : null)}
${fact('Presets of enrichment', entry.enrich_presets.length > 0 ? codes(entry.enrich_presets) : null)}
</dl>
${questions(entry, null)}
${headed('coverage', 'Coverage in this release', figures.coverage)}${headed('spread', 'Spread of the values', figures.spread)}<h2 id="example">Example</h2>
<pre><code>${example(name, surfaces, point)}</code></pre>`,
  };
}

/** The list of all names. */
export function fieldIndex({ fields, further_names, layers, release }: FieldsDocument): SiteContent {
  // On a phone a name goes on in the next line between its words.
  const broken = (name: string) => new Markup(name.replaceAll('_', '_<wbr>'));
  const row = (name: string, says: string, installed: boolean) =>
    html`<tr><td><a href="/docs/fields/${name}"><code>${broken(name)}</code></a></td><td>${says}</td>${release === null ? '' : html`<td>${installed ? 'yes' : 'no'}</td>`}</tr>
`;
  const table = (rows: readonly Markup[]) =>
    html`<div class="scroll"><table><thead><tr><th>Name</th><th>Meaning</th>${release === null ? '' : html`<th>In this release</th>`}</tr></thead><tbody>${rows}</tbody></table></div>`;
  return {
    path: '/docs/fields',
    title: 'Field dictionary',
    content: html`<h1 id="fields">Field dictionary</h1>
<p>Every name that a request can ask for, with a page of its own: what it means, from whom it comes, how sure it is, what it costs. ${
      release === null ? 'No release is open here.' : `“In this release” means release ${release}.`
    }</p>
${layers.map(
  ({ name }) => html`<h2 id="${name}">${name.replaceAll('_', ' ')}</h2>
${table(fields.filter(({ layer }) => layer === name).map(one => row(one.name, one.title, one.installed)))}`,
)}
<h2 id="further">Names of parcels, enrichment and search</h2>
${table(further_names.map(one => row(one.name, one.description, one.installed)))}`,
  };
}
