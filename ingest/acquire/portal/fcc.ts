import { AcquireError } from '../fault.ts';
import { http } from '../http.ts';
import type { Source, SourceReader, Tools } from '../source-reader.ts';

/** A file of a filing (FCC, "BDC Public Data API Specifications", 3.1.1). */
type ListedFile = Readonly<Record<string, unknown>> & { readonly file_id?: number | string };

/**
 * The address of the one file of a list that has the values of the parameters of the list's address, by the columns of the list.
 * @throws AcquireError where none has them, or several.
 */
async function fileOf({ url }: Source, { client, signal }: Tools): Promise<string> {
  const said = (await client.json(url, signal)) as { data?: readonly ListedFile[]; message?: string } | null;
  if (!Array.isArray(said?.data))
    throw new AcquireError('wrong_content', url, `lists no files: ${said?.message ?? 'no reason'}`);
  const wanted = [...new URL(url).searchParams];
  const found = (said.data as readonly ListedFile[]).filter(file =>
    wanted.every(([name, value]) => String(file[name]) === value),
  );
  const [file, ...others] = found;
  if (file?.file_id === undefined)
    throw new AcquireError('gone', url, `none of its ${said.data.length} files has these values`);
  if (others.length > 0)
    throw new AcquireError('wrong_content', url, `${found.length} of its files have these values, expected one`);
  return new URL(`../downloadFile/availability/${encodeURIComponent(String(file.file_id))}`, url).href;
}

/** Takes a file that the API of the FCC's broadband map lists, by the key of an account. */
export const fcc: SourceReader = {
  look: async (source, tools) => http.look({ ...source, url: await fileOf(source, tools) }, tools),
  take: async (source, held, target, tools) =>
    http.take({ ...source, url: await fileOf(source, tools) }, held, target, tools),
};
