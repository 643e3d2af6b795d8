import { setImmediate as others } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { memo } from '../../../datasets/memo.ts';
import { heldLayers } from '../../catalogs/held-layer.ts';
import type { Services } from '../../context.ts';
import { ServiceError } from '../../errors/registry.ts';
import { contextOf } from '../../http/context.ts';
import { html, Markup } from '../../http/markup.ts';
import {
  JSON_TYPE,
  type SharedAnswer,
  SharedAnswers,
  sendShared,
  sharedAnswer,
  tagOf,
} from '../../http/shared-answer.ts';
import { createCatalogDocument } from '../../meta/operation.ts';
import { findExamplePlace } from '../page/example-place.ts';
import { type FieldsDocument, fieldIndex, fieldPage, furtherPage } from './field-page.ts';
import { createFigures } from './figures.ts';
import { SITE_POLICY, type SiteContent, sitePage } from './frame.ts';
import { type PageFile, pageFiles } from './page-file.ts';
import { releasePage } from './release-page.ts';
import { SECTIONS } from './sections.ts';

const HTML_TYPE = 'text/html; charset=utf-8';
/** Milliseconds that a page waits for the count of parcels: without it a page says less. */
const COUNTING_LIMIT_MS = 1_000;
/** Pages that are kept compressed: those that many ask for. */
const MOST_KEPT = 64;
/** Characters of a part that the search reads. */
const MOST_SEARCHED = 2_000;
/** A point for examples where the release has none. */
const SOMEWHERE = { lat: 44.8016, lng: -68.7712 };

/** The first page: the sections with their pages, each with its first sentence. */
function homePage(pages: ReadonlyMap<string, PageFile>): SiteContent {
  return {
    path: '/docs',
    title: 'Documentation',
    content: html`<h1 id="documentation">Documentation</h1>
<p>Plat answers questions about places in the United States from public data, and cites a source for every value.</p>
${SECTIONS.map(
  section =>
    html`<h2>${section.title}</h2><ul>${section.pages
      .filter(({ name }) => pages.has(name))
      .map(({ name }) => {
        const { title, lead } = pages.get(name)!;
        return html`<li><a href="/docs/${name}">${title}</a>. <span class="soft">${lead}</span></li>
`;
      })}</ul>`,
)}
<ul><li><a href="/docs/fields">Field dictionary</a>. <span class="soft">A page for each of the names that a request can ask for.</span></li>
<li><a href="/docs/release">The open release</a>. <span class="soft">Its layers, from whom and how old.</span></li>
<li><a href="/v1/docs">API reference</a>. <span class="soft">Every operation with an example.</span></li></ul>`,
  };
}

/** GET /docs and below it: the pages of the project as a site with search, a page for each field, and one of the open release. */
export function docsSiteRoutes(app: FastifyInstance, services: Services & { readonly publicUrl: string }): void {
  const { engine, catalog, publicUrl } = services;
  const schema = { hide: true };
  const answers = new SharedAnswers(MOST_KEPT);
  const send = (request: FastifyRequest, reply: FastifyReply, content: SiteContent) => {
    const page = sitePage(content, new Map([...pageFiles()].map(([name, { title }]) => [name, title])));
    reply.headers({ 'content-security-policy': SITE_POLICY, 'cache-control': 'no-cache' });
    return sendShared(request, reply, answers.ofText(page, HTML_TYPE));
  };

  for (const url of ['/docs', '/docs/'])
    app.get(url, { schema }, async (request, reply) => send(request, reply, homePage(pageFiles())));
  app.get('/docs/:page', { schema }, async (request, reply) => {
    const { page: name } = request.params as { readonly page: string };
    reply.header('cache-control', 'no-cache');
    const page = pageFiles().get(name);
    if (!page) throw new ServiceError('not_found');
    return send(request, reply, {
      path: `/docs/${name}`,
      title: page.title,
      content: new Markup(page.rendered.html),
    });
  });

  const layers = heldLayers(engine, catalog);
  app.get('/docs/release', { schema }, async (request, reply) => {
    const held = [...layers().values()];
    const { release } = engine.status();
    return send(request, reply, releasePage({ origin: publicUrl, release }, held));
  });

  const document = createCatalogDocument();
  const fieldsOf = memo((answer: SharedAnswer) => JSON.parse(answer.bytes.toString('utf8')) as FieldsDocument);
  const fields = async (request: FastifyRequest, reply: FastifyReply) => {
    return fieldsOf(await document(contextOf(request, reply, services, COUNTING_LIMIT_MS)));
  };
  app.get('/docs/fields', { schema }, async (request, reply) => {
    return send(request, reply, fieldIndex(await fields(request, reply)));
  });
  const points = new LRUCache<string, { readonly lat: number; readonly lng: number }>({
    max: 2,
    fetchMethod: async () => (await findExamplePlace(engine, catalog).catch(() => null))?.point ?? SOMEWHERE,
  });
  const figures = createFigures(engine);
  app.get('/docs/fields/:field', { schema }, async (request, reply) => {
    const { field: name } = request.params as { readonly field: string };
    reply.header('cache-control', 'no-cache');
    const told = await fields(request, reply);
    const field = told.fields.find(one => one.name === name);
    const further = told.further_names.find(one => one.name === name);
    if (!field && !further) throw new ServiceError('not_found');
    const point = (await points.fetch(told.release ?? '')) ?? SOMEWHERE;
    const terms = { catalog, release: told.release, point, figures: await figures(name, (field ?? further)!.unit) };
    return send(request, reply, field ? fieldPage(field, terms) : furtherPage(further!, terms));
  });

  /** What the search reads: the parts of pages, and the fields with their words. Others have their turn between two pages. */
  const searched = async () => {
    const parts = [];
    for (const [name, page] of pageFiles()) {
      await others();
      for (const { id, heading, text } of page.rendered.parts) {
        const path = `/docs/${name}${id === '' ? '' : `#${id}`}`;
        parts.push({ path, title: page.title, heading, text: text.slice(0, MOST_SEARCHED) });
      }
    }
    const named = [...catalog.fields.values()].map(({ name, title, description, terms }) => ({
      path: `/docs/fields/${name}`,
      title: `${title} (${name})`,
      heading: terms.join(', '),
      text: description,
    }));
    const text = JSON.stringify([...parts, ...named]);
    return sharedAnswer(text, JSON_TYPE, tagOf(text));
  };
  let index: Promise<SharedAnswer> | undefined;
  app.get('/docs/search.json', { schema }, async (request, reply) => {
    index ??= searched();
    return sendShared(request, reply.header('cache-control', 'no-cache'), await index);
  });
}
