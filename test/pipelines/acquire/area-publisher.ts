import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { PublishedFile } from '../../../datasets/acquire.ts';
import { catalog } from '../../../datasets/catalog.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import type { Place, PublishedAt } from '../../../datasets/place/place.ts';
import { locate } from '../../../ingest/acquire/locate.ts';
import { filesOfPlace } from '../../../pipelines/steps/acquire.ts';
import { type Handler, half, type Publisher } from '../../ingest/acquire/publisher.ts';

/** A day on which the files of the synthetic area are the newest that there are. */
export const TODAY = new Date('2026-10-20T00:00:00Z');

/** What an index page of a publisher names, for datasets whose files are found by one. */
const LINKS: Readonly<Record<string, (state: string, ending: string) => string>> = {
  usgs_nhdplus_hr: () => 'StagedProducts/Hydrography/NHDPlusHR/VPU/Current/GDB/NHDPLUS_H_0106_HU4_20220901_GDB.zip',
  epa_egrid: (_state, ending) =>
    `/system/files/2025-06/egrid2023_${ending === '.zip' ? 'subregions.zip' : 'data_rev2.xlsx'}`,
};

/** State and county of a file of the area, as its name tells them. */
function areaOf(file: string): { readonly state: string; readonly county?: string } {
  const [, fips, county] = /(?:^|_)(\d\d)(\d{3})?_/.exec(basename(file)) ?? [];
  const byFips = Object.keys(STATE_FIPS).find(code => STATE_FIPS[code] === fips);
  const state = byFips ?? (/(?:^|_|\d)(NH|nh)(?:_|\.)/.test(basename(file)) ? 'NH' : 'ME');
  return { state, ...(county ? { county: `${fips}${county}` } : {}) };
}

/** Where a file of the area is published; null where its datasets declare none or several, or one of another format. */
function declaredOf(file: string, layers: readonly string[]): { source: PublishedFile; at: PublishedAt } | null {
  const declared = layers.map(name => {
    const [dataset, layer] = name.split(':') as [string, string];
    const files = catalog.datasets.get(dataset)?.acquire.files ?? [];
    return { dataset, layer, files: files.filter(one => !one.layers || one.layers.includes(layer)) };
  });
  const [source, ...others] = new Set(declared.flatMap(({ files }) => files));
  if (!source || others.length > 0 || declared.some(({ files }) => files.length !== 1)) return null;
  const ending = extname(file);
  const { pathname } = new URL(source.url.replaceAll(/[{}]/g, ''), 'https://index.example');
  const isSame =
    source.via === 'arcgis'
      ? ending === '.geojson'
      : source.via === 'ckan' ||
        ((source.via ?? 'http') === 'http' && (source.url === '{link}' || extname(pathname) === ending));
  const { dataset, layer } = declared[0]!;
  const standard = /pm25_(\d{4})/.exec(file)?.[1] ?? '';
  const utilities = basename(file).includes('non_iou') ? 'non_iou' : 'iou';
  const some = { table: 'b19013', volume: 'ne', region: 'ME', utilities, area: 'ME601' };
  const filled = { huc4: '0106', tile: 'n44w071', standard, ...some };
  const at = { dataset, ...(source.layers ? { layer } : {}), ...areaOf(file), with: filled };
  return isSame ? { source, at } : null;
}

/** `/host/path?query`, as the mirror asks for it. */
export function onHost(address: string): string {
  const { hostname, pathname, search } = new URL(address);
  return `/${hostname}${pathname}${search}`;
}

/** An address with the vintage that a file of the area has by its name. */
export function dated(url: string, file: string): string {
  const years = [...basename(file).matchAll(/20\d\d/g)].map(([year]) => Number(year));
  const named = years.length > 0 ? Math.max(...years) : 2025;
  const year = url.includes('{year-1}') && !url.includes('{year}') ? named + 1 : named;
  const two = (n: number) => String(n % 100).padStart(2, '0');
  return url
    .replaceAll('{year}', String(year))
    .replaceAll('{year-1}', String(year - 1))
    .replaceAll('{yy}', two(year))
    .replaceAll('{yy-1}', two(year - 1))
    .replaceAll('{month}', 'september');
}

/** The address of a file, and its index page where it is found by one; null where LINKS has none. */
function addressOf(publisher: Publisher, source: PublishedFile, at: PublishedAt, file: string, place: Place) {
  const { url, vintage } = locate(source, at, place);
  if (vintage === null || 'newest' in vintage) return dated(url, file);
  const link = LINKS[at.dataset!]?.(at.state!, extname(file));
  if (link === undefined) return null;
  const page = onHost(vintage.index);
  const before = publisher.files.get(page)?.body.toString() ?? '';
  publisher.put(page, `${before}<a href="${link}">${basename(link)}</a>\n`);
  return new URL(link, vintage.base ?? vintage.index).href;
}

/** What goes wrong on the way: half a file, a refusal for the moment, a server that fails, a move to another host; or nothing. */
function faultsOf(kind: number, publisher: Publisher, path: string): Handler[] {
  const say =
    (status: number, headers: Record<string, string> = {}): Handler =>
    (_request, response) =>
      void response.writeHead(status, headers).end();
  const broken = half(publisher, path);
  const kinds: readonly (readonly Handler[])[] = [
    [broken, broken, broken],
    [say(429, { 'retry-after': '0' })],
    [say(503), say(502)],
    [say(302, { location: `https://moved.example${path}` })],
    [],
  ];
  return [...kinds[kind % kinds.length]!];
}

/** Features of a GeoJSON file as a feature service has them; its pages end before they hold what it announces. */
export function serveFeatures(publisher: Publisher, path: string, text: string): void {
  const { features } = JSON.parse(text) as { features: readonly object[] };
  const say = (response: Parameters<Handler>[1], value: unknown) => void response.end(JSON.stringify(value));
  const description = { objectIdField: 'OBJECTID', maxRecordCount: 50, editingInfo: { lastEditDate: 1.75e12 } };
  publisher.handlers.set(path, (_request, response) => say(response, description));
  publisher.handlers.set(`${path}/query`, (_request, response, { searchParams }) => {
    const where = searchParams.get('where') ?? '';
    const [, low, high = low] =
      /OBJECTID >= (\d+) AND OBJECTID <= (\d+)/.exec(where) ?? /OBJECTID = (\d+)/.exec(where) ?? [];
    const ids = features.map((_, i) => i + 1).filter(id => !low || (id >= Number(low) && id <= Number(high)));
    if (searchParams.has('returnIdsOnly')) say(response, { objectIds: ids.reverse() });
    else if (searchParams.has('returnCountOnly')) say(response, { count: ids.length });
    else say(response, { features: ids.slice(0, 40).map(id => ({ id, ...features[id - 1] })) });
  });
}

/** A file as a resource of a package of a CKAN catalogue, beside those that it has. */
function serveResource(publisher: Publisher, address: string, name: string): void {
  const held = publisher.files.get(onHost(address));
  const before = held ? JSON.parse(held.body.toString()).result.resources : [];
  const resources = [...before, { name: name.replaceAll('_', ' '), url: new URL(`/files/${name}`, address).href }];
  publisher.put(onHost(address), JSON.stringify({ success: true, result: { resources } }));
}

/** Files of an area that are published, with how; and those that somebody puts there by hand. */
export interface PublishedArea {
  /** The place, with where each file is published. */
  readonly place: Place;
  readonly published: readonly { readonly file: string; readonly via: string }[];
  readonly byHand: readonly string[];
}

/**
 * Publishes the files of the synthetic area as their publishers do, at the addresses that the datasets declare, most of them
 * with a fault on the way.
 * @param place the synthetic place.
 * @param sources folder of its files.
 */
export function publishArea(publisher: Publisher, place: Place, sources: string): PublishedArea {
  const files: Record<string, PublishedAt> = {};
  const published: { file: string; via: string }[] = [];
  const byHand: string[] = [];
  for (const [file, layers] of filesOfPlace(place)) {
    const found = declaredOf(file, layers);
    const address = found && addressOf(publisher, found.source, found.at, file, place);
    if (!found || !address) {
      byHand.push(file);
      continue;
    }
    const via = found.source.via ?? 'http';
    const body = readFileSync(join(sources, file));
    if (via === 'arcgis') serveFeatures(publisher, onHost(address), body.toString());
    else {
      if (via === 'ckan') serveResource(publisher, address, basename(file));
      const path = onHost(via === 'ckan' ? new URL(`/files/${basename(file)}`, address).href : address);
      publisher.put(path, body);
      publisher.put(`/moved.example${path}`, body);
      publisher.faults.set(path.split('?')[0]!, faultsOf(published.length, publisher, path));
    }
    files[file] = found.at;
    published.push({ file, via });
  }
  return { place: { ...place, files }, published, byHand };
}
