import { parse } from 'csv-parse/sync';
import { Passing } from '../client.ts';
import { AcquireError } from '../fault.ts';
import { PartFile } from '../part-file.ts';
import type { Content, Seen, Source, SourceReader, Tools } from '../source-reader.ts';

const PAGE = 50_000;

const parameters = ({ where }: Source, more: Record<string, string>) =>
  new URLSearchParams({ ...(where ? { $where: where } : {}), ...more }).toString();

/** Returns host and id of a dataset's address, `https://HOST/resource/abcd-1234.csv`. @throws AcquireError for another form. */
function named(url: string): { host: string; id: string } {
  const [, host, id] = /^(https?:\/\/[^/]+)\/resource\/(\w{4}-\w{4})\.csv$/.exec(url) ?? [];
  if (!host || !id) throw new AcquireError('wrong_content', url, 'expected https://HOST/resource/ID.csv');
  return { host, id };
}

async function seen(source: Source, { client, signal }: Tools): Promise<Seen & { rows: number }> {
  const { host, id } = named(source.url);
  const about = (await client.json(`${host}/api/views/${id}.json`, signal)) as { rowsUpdatedAt?: number };
  const counted = (await client.json(
    `${host}/resource/${id}.json?${parameters(source, { $select: 'count(*) as rows' })}`,
    signal,
  )) as { rows?: string | number }[];
  const rows = Number(counted[0]?.rows);
  if (!Number.isInteger(rows)) throw new AcquireError('wrong_content', source.url, 'does not count its rows');
  const changedAt = about.rowsUpdatedAt ? new Date(about.rowsUpdatedAt * 1000).toISOString() : null;
  return { stamp: `${changedAt ?? ''} ${rows}`, changedAt, bytes: null, rows };
}

/**
 * Downloads a dataset of a Socrata portal as CSV, by pages in the order of its row ids. Each row comes once, and the number of
 * rows is the portal's own count. If rows are edited meanwhile, it begins anew.
 */
export const socrata: SourceReader = {
  look: seen,
  async take(source, held, target, tools): Promise<Content | null> {
    const { client, signal } = tools;
    const part = new PartFile<null>(target, source.url);
    for (let restarts = 0; restarts <= 3; restarts++) {
      const { stamp, changedAt, rows } = await seen(source, tools);
      if (held?.stamp === stamp && changedAt !== null) return null;
      await part.start(null, null);
      const file = await part.append();
      const ids = new Set<string>();
      let bytes = 0;
      try {
        for (let offset = 0; offset === 0 || offset < rows; offset += PAGE) {
          const url = `${source.url}?${parameters(source, { $select: ':id,*', $order: ':id', $limit: String(PAGE), $offset: String(offset) })}`;
          const expected = Math.min(PAGE, rows - offset);
          const table = await client.patiently(
            url,
            async () => {
              const lines = parse(await client.text(url, signal)) as string[][];
              const fresh = new Set(lines.slice(1).map(([id]) => id!));
              const repeated = [...fresh].filter(id => ids.has(id)).length + lines.length - 1 - fresh.size;
              if (repeated > 0) throw new Passing(`the page from row ${offset} repeats ${repeated} rows`);
              if (fresh.size !== expected)
                throw new Passing(`the page from row ${offset} has ${fresh.size} rows, expected ${expected}`);
              for (const id of fresh) ids.add(id);
              return lines;
            },
            signal,
          );
          const written = offset === 0 ? table : table.slice(1);
          const { bytesWritten } = await file.write(
            written.map(line => `${line.slice(1).map(cell).join(',')}\n`).join(''),
          );
          bytes += bytesWritten;
          tools.came(bytes, null);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      if ((await seen(source, tools)).stamp === stamp) return { url: source.url, stamp, changedAt, rows };
    }
    throw new AcquireError('unstable', source.url, 'rows were edited each time while they were read; try again later');
  },
};

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
