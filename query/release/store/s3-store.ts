import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Creation, ObjectStore } from './object-store.ts';

const ATTEMPTS = 5;
/** Bytes of a part of a large file: S3 takes parts from 5 MiB on, and at most 5 GiB in one request. */
const PART_BYTES = 64 * 1024 ** 2;
/** Parts that S3 takes of one object. */
const MOST_PARTS = 10_000;

const quiet = () => {};
/** The SDK warns of each stream that it cannot send again, which `sent` does itself. */
const SILENT = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const statusOf = (error: unknown) => (error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined);

/** Gives an error the server's code where it sent no words, as Ceph and answers to HEAD do: the SDK says `UnknownError` then. */
function explained(error: unknown): unknown {
  if (error instanceof S3ServiceException && ['', 'UnknownError'].includes(error.message)) {
    const code = /^Unknown/.test(error.name) ? '' : ` ${error.name}`;
    error.message = `the server answers ${statusOf(error)}${code}`;
  }
  return error;
}

/** What a promise gives; null where the server says that nothing is there. */
async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return null;
    throw error;
  }
}

/** Sends a part of a file, again where that may help: the SDK cannot send a stream a second time. */
async function sent<T>(path: string, from: number, bytes: number, send: (body: Readable) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const body = bytes === 0 ? Readable.from([]) : createReadStream(path, { start: from, end: from + bytes - 1 });
    try {
      return await send(body);
    } catch (error) {
      // What the server refuses for good is not tried again.
      const status = statusOf(error) ?? 500;
      if (attempt === ATTEMPTS || (status < 500 && status !== 429 && (error as Error).name !== 'BadDigest'))
        throw error;
      await pause(100 * 2 ** attempt * Math.random());
    } finally {
      body.destroy();
    }
  }
}

/** An S3 bucket as object store. Address, region and credentials are those of the SDK's usual variables. */
export class S3Store implements ObjectStore {
  readonly name: string;
  readonly partBytes: number;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  /**
   * @param partBytes files that are longer are sent in parts of so many.
   * @throws Error for an address that is not `s3://bucket` or `s3://bucket/prefix`.
   */
  constructor(url: string, partBytes = PART_BYTES) {
    const [, bucket, prefix] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/([^?#]*))?$/.exec(url) ?? [];
    if (!bucket) throw new Error(`${url} is no store: expected s3://bucket or s3://bucket/prefix`);
    this.name = url;
    this.partBytes = partBytes;
    this.#bucket = bucket;
    this.#prefix = prefix ? `${prefix.replace(/\/+$/, '')}/` : '';
    this.#client = new S3Client({
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: ATTEMPTS,
      logger: SILENT,
      requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 },
    });
    this.#client.middlewareStack.add(
      next => args =>
        next(args).catch(error => {
          throw explained(error);
        }),
      { step: 'initialize' },
    );
  }

  async size(key: string): Promise<number | null> {
    const head = await orNull(this.#client.send(new HeadObjectCommand(this.#at(key))));
    return head?.ContentLength ?? null;
  }

  async read(key: string): Promise<Buffer | null> {
    for (let attempt = 1; ; attempt++) {
      try {
        const object = await orNull(this.#client.send(new GetObjectCommand(this.#at(key))));
        if (!object) return null;
        const bytes = Buffer.from(await object.Body!.transformToByteArray());
        if (bytes.length === object.ContentLength) return bytes;
        throw new Error(`${this.name}: ${key} has ${bytes.length} bytes, expected ${object.ContentLength}`);
      } catch (error) {
        // The SDK asks again for an answer that fails, not for a body that breaks off.
        if (attempt === ATTEMPTS || statusOf(error) !== undefined) throw error;
        await pause(100 * 2 ** attempt * Math.random());
      }
    }
  }

  async open(key: string, from: number, signal?: AbortSignal): Promise<Readable | null> {
    const range = from > 0 ? { Range: `bytes=${from}-` } : {};
    const options = signal ? { abortSignal: signal } : {};
    const object = await orNull(this.#client.send(new GetObjectCommand({ ...this.#at(key), ...range }), options));
    // A server without ranges sends the whole: what was not asked for must not be taken for the rest.
    if (object && from > 0 && !object.ContentRange?.startsWith(`bytes ${from}-`)) {
      (object.Body as Readable).destroy();
      throw new Error(`${this.name} does not send parts of ${key} (Range)`);
    }
    return object && (object.Body as Readable);
  }

  async create(key: string, bytes: Buffer): Promise<Creation> {
    try {
      await this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: bytes, IfNoneMatch: '*' }));
      return 'made';
    } catch (error) {
      if ([409, 412].includes(statusOf(error) ?? 0)) return 'lost';
      throw error;
    }
  }

  async put(key: string, path: string, bytes: number, md5s: readonly string[]): Promise<void> {
    if (md5s.length === 1) {
      const whole = { ...this.#at(key), ContentLength: bytes, ContentMD5: md5s[0] };
      await sent(path, 0, bytes, Body => this.#client.send(new PutObjectCommand({ ...whole, Body })));
      return;
    }
    if (md5s.length > MOST_PARTS)
      throw new Error(`${path} has ${bytes} bytes: S3 takes at most ${MOST_PARTS * this.partBytes} in one object`);
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#at(key)));
    const upload = { ...this.#at(key), UploadId };
    try {
      const Parts: CompletedPart[] = [];
      for (const [i, ContentMD5] of md5s.entries()) {
        const from = i * this.partBytes;
        const ContentLength = Math.min(this.partBytes, bytes - from);
        const part = { ...upload, PartNumber: i + 1, ContentLength, ContentMD5 };
        const { ETag } = await sent(path, from, ContentLength, Body =>
          this.#client.send(new UploadPartCommand({ ...part, Body })),
        );
        Parts.push({ PartNumber: i + 1, ETag });
      }
      await this.#client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    } catch (error) {
      // An answer that was lost makes the second attempt at the end of an upload fail, because there is none any more.
      if ((error as Error).name === 'NoSuchUpload' && (await this.size(key)) === bytes) return;
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
      throw error;
    }
  }

  async list(prefix: string, after = ''): Promise<string[]> {
    const out: string[] = [];
    let token: string | undefined;
    do {
      const start = after === '' ? {} : { StartAfter: this.#prefix + after };
      const from = token === undefined ? start : { ContinuationToken: token };
      const page = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: this.#prefix + prefix, ...from }),
      );
      for (const { Key } of page.Contents ?? []) out.push(Key!.slice(this.#prefix.length));
      token = page.NextContinuationToken;
    } while (token);
    return out.sort();
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }
}
