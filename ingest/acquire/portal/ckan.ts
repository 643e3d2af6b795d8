import { AcquireError } from '../fault.ts';
import { http } from '../http.ts';
import type { Source, SourceReader, Tools } from '../source-reader.ts';

interface Package {
  readonly success?: boolean;
  readonly result?: { readonly resources?: readonly Resource[] };
}

interface Resource {
  readonly name?: string;
  readonly url?: string;
  readonly last_modified?: string | null;
  readonly created?: string;
}

/** Returns the address of the resource that matches the pattern, the latest of several. @throws AcquireError if none matches. */
async function resourceOf({ url, resource }: Source, { client, signal }: Tools): Promise<string> {
  const { success, result } = (await client.json(url, signal)) as Package;
  if (!success) throw new AcquireError('wrong_content', url, 'is no package of a CKAN catalog');
  const pattern = new RegExp(resource ?? '.', 'i');
  const dateOf = ({ last_modified, created }: Resource) => last_modified ?? created ?? '';
  const found = (result?.resources ?? [])
    .filter(({ name = '', url: at = '' }) => at !== '' && (pattern.test(name) || pattern.test(at)))
    .sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1));
  if (!found[0])
    throw new AcquireError(
      'gone',
      url,
      `no resource is like ${pattern.source}; there are ${(result?.resources ?? []).map(r => r.name).join(', ') || 'none'}`,
    );
  return new URL(found[0].url!, url).href;
}

/** Reads a resource of a package in a CKAN catalogue. */
export const ckan: SourceReader = {
  look: async (source, tools) => http.look({ ...source, url: await resourceOf(source, tools) }, tools),
  take: async (source, held, target, tools) =>
    http.take({ ...source, url: await resourceOf(source, tools) }, held, target, tools),
};
