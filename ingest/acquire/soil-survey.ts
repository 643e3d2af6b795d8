import { type Client, Passing } from './client.ts';
import { AcquireError } from './fault.ts';
import { http } from './http.ts';
import type { Source, SourceReader, Tools } from './source-reader.ts';

/** Soil Data Access, the database behind Web Soil Survey: https://sdmdataaccess.nrcs.usda.gov/WebServiceHelp.aspx. */
const DATABASE = 'https://SDMDataAccess.sc.egov.usda.gov/Tabular/post.rest';

/** Survey areas that overlap a county by its symbol, such as ME019, and when each was last exported. */
const areasQuery = (county: string) =>
  `SELECT l.areasymbol, s.saverest FROM legend l JOIN laoverlap lo ON lo.lkey = l.lkey ` +
  `JOIN sacatalog s ON s.areasymbol = l.areasymbol WHERE l.areatypename = 'Non-MLRA Soil Survey Area' ` +
  `AND lo.areatypename = 'County or Parish' AND lo.areasymbol = '${county}'`;

/** Rows of an answer in the format JSON+COLUMNNAME: the first holds the names. An answer of nothing is an empty object. */
async function rowsOf(client: Client, query: string, signal?: AbortSignal): Promise<readonly string[][]> {
  return client.patiently(
    DATABASE,
    async () => {
      const said = await client.jsonOnce(DATABASE, signal, { query, format: 'JSON+COLUMNNAME' });
      // When the database is down it answers 200 with nothing or with a page.
      if (said === null || typeof said !== 'object') throw new Passing('its answer is no object of JSON');
      return ((said as { Table?: string[][] }).Table ?? []).slice(1);
    },
    signal,
  );
}

/** The day of an export, `9/5/2025 4:47:36 PM` or ISO 8601, as addresses write it. */
function dayOf(saverest: string, url: string): string {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(saverest) ?? [];
  if (year) return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  const [iso] = /^\d{4}-\d{2}-\d{2}/.exec(saverest) ?? [];
  if (iso) return iso;
  throw new AcquireError('wrong_content', url, `its export is dated "${saverest}", which is no day`);
}

/**
 * The survey areas that overlap a county.
 * @param county two letters of the state and three digits: ME019. @throws AcquireError when the database does not answer.
 */
export async function surveyAreas(county: string, client: Client, signal?: AbortSignal): Promise<readonly string[]> {
  // US is the map of the whole country.
  const areas = (await rowsOf(client, areasQuery(county), signal)).filter(([symbol]) => symbol !== 'US');
  return areas.map(([symbol]) => symbol!);
}

/** The address of the archive of a survey area as it was last exported. @throws AcquireError naming the areas of the county. */
async function archiveOf({ url, where }: Source, { client, signal }: Tools): Promise<string> {
  const [, area] = /wss_SSA_(\w+)\.zip$/.exec(url) ?? [];
  const [county] = /^[A-Z]{2}\d{3}$/.exec(where) ?? [];
  if (!area || !county)
    throw new AcquireError('wrong_content', url, 'expected wss_SSA_AREA.zip, and a county as ME019');
  // US is the map of the whole country.
  const areas = (await rowsOf(client, areasQuery(county), signal)).filter(([symbol]) => symbol !== 'US');
  const found = areas.find(([symbol]) => symbol === area);
  if (!found)
    throw new AcquireError(
      'gone',
      url,
      `no survey area ${area} overlaps ${county}; there are ${areas.map(([symbol]) => symbol).join(', ') || 'none'}`,
    );
  return url.replace(/\.zip$/, `_[${dayOf(found[1]!, url)}].zip`);
}

/** Downloads the archive of a soil survey area, whose name holds the day of its last export. */
export const soilSurvey: SourceReader = {
  look: async (source, tools) => http.look({ ...source, url: await archiveOf(source, tools) }, tools),
  take: async (source, held, target, tools) =>
    http.take({ ...source, url: await archiveOf(source, tools) }, held, target, tools),
};
