import type { HeldLayer } from '../../catalogs/held-layer.ts';
import { releaseDataset } from '../../catalogs/schema-org.ts';
import type { StacPlace } from '../../catalogs/stac.ts';
import { html, Markup } from '../../http/markup.ts';
import type { SiteContent } from './frame.ts';

/** JSON inside a script element: nothing of it may end the element. */
const inScript = (value: object) => new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));

/** The page of the open release, with its description for search engines (schema.org Dataset) in its head. */
export function releasePage(place: StacPlace, layers: readonly HeldLayer[]): SiteContent {
  const { release } = place;
  const dataset = releaseDataset(place, layers);
  return {
    path: '/docs/release',
    title: release === null ? 'No release' : `Release ${release}`,
    head: dataset ? html`<script type="application/ld+json">${inScript(dataset)}</script>` : new Markup(''),
    content: html`<h1 id="release">${release === null ? 'No release is open' : `Release ${release}`}</h1>
<p>What this server answers from, a row a layer. Other catalogs read the same at <a href="/stac">/stac</a> (STAC) and <a href="/data.json">/data.json</a> (DCAT-US); <a href="/v1/meta/coverage">the coverage by county</a> has each file.</p>
<div class="scroll"><table><thead><tr><th>Layer</th><th>Publisher</th><th>License</th><th>Newest file</th><th>Files</th></tr></thead><tbody>
${layers.map(
  layer => html`<tr><td><a href="/stac/${layer.id}">${layer.title}</a></td><td>${layer.publishers.join('; ')}</td><td>${layer.licences.join('; ')}</td><td>${layer.retrievedAt.slice(0, 10)}</td><td>${layer.sources.length}</td></tr>
`,
)}</tbody></table></div>`,
  };
}
