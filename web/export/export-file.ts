import { send } from '../api/request.ts';

/** Bytes up to which features are put together to one GeoJSON on this page; more are handed over as they came. */
export const MOST_COLLECTED = 200_000_000;

/** One GeoJSON of features that follow each other (RFC 8142: each begins with a record separator). Pure. */
export const collected = (sequence: string): string =>
  `{"type":"FeatureCollection","features":[${sequence
    .split('\u001e')
    .map(feature => feature.trim())
    .filter(feature => feature !== '')
    .join(',\n')}]}\n`;

/** Hands a file to the browser under a name. */
export function saveAs(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Fetches a file of an export and saves it. A plain link could not send the token.
 * @param asCollection whether features that follow each other become one GeoJSON. @throws as send.
 */
export async function saveExportFile(id: string, name: string, asCollection: boolean): Promise<void> {
  const response = await send({ method: 'GET', path: `/v1/exports/${id}/files/${encodeURIComponent(name)}` });
  if (!asCollection) return saveAs(name, await response.blob());
  saveAs(
    name.replace(/\.geojsons$/, '.geojson'),
    new Blob([collected(await response.text())], { type: 'application/geo+json' }),
  );
}
