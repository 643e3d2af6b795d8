import { html, Markup } from '../../http/markup.ts';
import { SCRIPT, STYLE } from '../page/look.ts';
import { policyOf } from '../page/page.ts';
import { SECTIONS } from './sections.ts';

/** What the pages of the site want beside the dress of the reference. */
const SITE_STYLE = `${STYLE}
main{max-width:54rem}main h3{font-size:1.05rem;margin:1.8rem 0 .2rem}main img{max-width:100%}blockquote{margin:.8rem 0;padding:.1rem 1rem;border-left:3px solid var(--line);color:var(--soft)}
main>pre{margin:.8rem 0}.scroll{padding:0;margin:.6rem 0}td:first-child{white-space:normal}th:nth-child(3){width:auto}
nav a[aria-current]{background:var(--accent-soft);font-weight:620}.find{margin:0 0 .6rem}.find input{font:inherit;width:100%;padding:.35rem .6rem;border:1px solid var(--edge);border-radius:6px;background:var(--raised);color:inherit}
#found{list-style:none;margin:.4rem 0 0;padding:0}#found a{display:block;padding:.25rem .5rem;margin-left:-.5rem;border-radius:6px}#found span{display:block;color:var(--soft);font-size:.87em;overflow-wrap:anywhere}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;margin:.8rem 0}dl.facts dt{color:var(--soft)}dl.facts dd{margin:0;min-width:0;overflow-wrap:anywhere}main p,main li,main figcaption,main h1,main h2,main h3{overflow-wrap:anywhere}
figure{margin:.8rem 0;max-width:720px}figure svg{display:block;max-width:100%;height:auto;max-height:26rem}figure rect,.answered{fill:var(--accent)}figcaption,.ends{color:var(--soft);font-size:.9rem}.ends{display:flex;justify-content:space-between}
.land{fill:var(--sunken)}.held{fill:var(--accent-soft)}.lines{fill:none;stroke:var(--edge);stroke-width:.6}.held,.answered{stroke:var(--edge);stroke-width:.6}`;

/**
 * The search: it loads the index with the first key, wants every word of what is typed, and puts a title before a heading before a
 * text.
 */
const SITE_SCRIPT = `${SCRIPT}
{const box=document.querySelector('.find input'),list=document.getElementById('found'),say=document.getElementById('said');let index,last=0;
const shown=async()=>{const turn=++last,words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);
if(!words.length){list.replaceChildren();say.textContent='';return}
try{index??=fetch('/docs/search.json').then(r=>{if(!r.ok)throw 0;return r.json()})}catch{}
let all;try{all=await index}catch{index=undefined;say.textContent='The search could not be loaded.';return}
if(turn!==last)return;
const found=[];for(const one of all){let score=0;for(const w of words){const s=one.title.toLowerCase().includes(w)?8:one.heading.toLowerCase().includes(w)?4:one.text.toLowerCase().includes(w)?1:0;if(!s){score=0;break}score+=s}if(score)found.push([score,one])}
found.sort((a,b)=>b[0]-a[0]);
say.textContent=found.length?found.length+' found':'Nothing found';
list.replaceChildren(...found.slice(0,12).map(([,one])=>{const li=document.createElement('li'),a=document.createElement('a'),s=document.createElement('span');a.href=one.path;a.textContent=one.title+(one.heading&&one.heading!==one.title?': '+one.heading:'');const at=one.text.toLowerCase().indexOf(words[0]);s.textContent=one.text.slice(Math.max(0,at-40),at+80);a.append(s);li.append(a);return li}))};
box.addEventListener('input',shown);box.form.addEventListener('submit',e=>{e.preventDefault();list.querySelector('a')?.click()})}`;

/** What a page of the site may do: its own style and script, and load the index of the search. */
export const SITE_POLICY = policyOf(SITE_STYLE, SITE_SCRIPT, "connect-src 'self'");

/** Titles of the pages by their names, for the navigation. */
export type SiteTitles = ReadonlyMap<string, string>;

/** Pages that no file holds: the fields, and the reference that is made from the API description. */
const FURTHER_PAGES: Readonly<Record<string, readonly (readonly [address: string, title: string])[]>> = {
  Concepts: [['/docs/fields', 'Field dictionary']],
  Reference: [['/v1/docs', 'Every operation, with examples']],
};

/**
 * A page of the documentation in the dress of the explorer.
 * @param path its address. @param head markup for the head of the page beside its title.
 */
export function sitePage({ path, title, content, head = new Markup('') }: SiteContent, titles: SiteTitles): string {
  const entry = (address: string, name: string) =>
    html`<li><a href="${address}"${new Markup(address === path ? ' aria-current="page"' : '')}>${name}</a></li>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Plat</title>
<link rel="icon" href="/plat.svg" type="image/svg+xml">
<style>${new Markup(SITE_STYLE)}</style>
${head}
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header><a class="brand" href="/">Plat</a><a href="/docs">Documentation</a><a href="/v1/docs">API reference</a><a href="/console">Console</a></header>
<div class="frame">
<nav aria-label="Documentation" tabindex="0">
<form class="find" role="search"><label class="unseen" for="find">Search the documentation</label><input id="find" type="search" placeholder="Search" autocomplete="off"><p class="soft" id="said" role="status"></p><ul id="found"></ul></form>
${SECTIONS.map(
  section => html`<h2>${section.title}</h2><ul>${section.pages.map(page =>
    entry(`/docs/${page.name}`, titles.get(page.name) ?? page.name),
  )}${(FURTHER_PAGES[section.title] ?? []).map(([address, name]) => entry(address, name))}</ul>
`,
)}</nav>
<main id="content">
${content}
</main>
</div>
<script>${new Markup(SITE_SCRIPT)}</script>
</body>
</html>
`.text;
}

/** What a page of the site shows. */
export interface SiteContent {
  readonly path: string;
  readonly title: string;
  readonly content: Markup;
  readonly head?: Markup;
}
