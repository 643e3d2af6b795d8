import { createWriteStream } from 'node:fs';
import { FTPError, Client as FtpClient } from 'basic-ftp';
import { Passing } from './client.ts';
import { AcquireError } from './fault.ts';
import { PartFile } from './part-file.ts';
import type { Content, Seen, SourceReader, Tools } from './source-reader.ts';

interface Whole {
  readonly bytes: number;
  readonly changedAt: string | null;
}

/**
 * Runs a function over one anonymous connection and returns its result.
 * @throws Passing for errors that the server calls temporary and for faults of the connection, AcquireError for others.
 */
async function over<T>(
  url: string,
  { client, signal }: Tools,
  work: (ftp: FtpClient, path: string) => Promise<T>,
): Promise<T> {
  const at = new URL(url);
  return client.patiently(
    url,
    async () => {
      const ftp = new FtpClient(60_000);
      const stop = () => ftp.close();
      signal?.addEventListener('abort', stop, { once: true });
      try {
        await ftp.access({
          host: at.hostname,
          port: Number(at.port || 21),
          user: at.username || 'anonymous',
          password: at.password || 'plat@',
        });
        return await work(ftp, decodeURIComponent(at.pathname));
      } catch (error) {
        if (error instanceof FTPError) {
          if (error.code === 550) throw new AcquireError('gone', url, `the server says ${error.message}`);
          if (error.code < 500) throw new Passing(`the server says ${error.message}`);
          throw new AcquireError('forbidden', url, `the server says ${error.message}`);
        }
        if (error instanceof AcquireError || error instanceof Passing) throw error;
        throw new Passing((error as Error).message);
      } finally {
        signal?.removeEventListener('abort', stop);
        ftp.close();
      }
    },
    signal,
  );
}

async function described(ftp: FtpClient, path: string): Promise<Whole> {
  const bytes = await ftp.size(path);
  try {
    return { bytes, changedAt: (await ftp.lastMod(path)).toISOString() };
  } catch (error) {
    // Not every server knows MDTM.
    if (error instanceof FTPError) return { bytes, changedAt: null };
    throw error;
  }
}

const stampOf = ({ bytes, changedAt }: Whole) => `${changedAt ?? ''} ${bytes}`;

/** Downloads a file of an FTP server, and resumes where a connection broke. It uses neither proxies nor mirrors. */
export const ftp: SourceReader = {
  look: ({ url }, tools): Promise<Seen> =>
    over(url, tools, async (ftp, path) => {
      const whole = await described(ftp, path);
      return { stamp: stampOf(whole), changedAt: whole.changedAt, bytes: whole.bytes, rows: null };
    }),
  take: ({ url }, held, target, tools): Promise<Content | null> => {
    const part = new PartFile<Whole>(target, url);
    return over(url, tools, async (ftp, path) => {
      const whole = await described(ftp, path);
      const stamp = stampOf(whole);
      if (held?.stamp === stamp && whole.changedAt !== null) return null;
      const resumable = await part.resumable();
      const from = resumable?.stamp === stamp && resumable.bytes <= whole.bytes ? resumable.bytes : 0;
      if (from === 0) {
        await part.start(stamp, whole);
        await part.requireRoom(whole.bytes);
      }
      ftp.trackProgress(({ bytes }) => tools.came(from + bytes, whole.bytes));
      await ftp.downloadTo(createWriteStream(part.path, { flags: 'r+', start: from }), path, from);
      ftp.trackProgress();
      const after = stampOf(await described(ftp, path));
      const bytes = (await part.resumable())?.bytes ?? 0;
      if (after !== stamp || bytes > whole.bytes) {
        await part.drop();
        throw new Passing('the file changed while it was read');
      }
      if (bytes < whole.bytes) throw new Passing(`broke off at ${bytes} of ${whole.bytes} bytes`);
      await part.done();
      return { url, stamp, changedAt: whole.changedAt };
    });
  },
};
