import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { noneMatch } from '../http/etag.ts';
import { byteRange } from './byte-range.ts';
import type { ReadableFile } from './standing.ts';
import { EXPORT_FORMATS, SIDECAR } from './writers/formats.ts';

const typeOf = (name: string): string =>
  name === SIDECAR
    ? 'application/json; charset=utf-8'
    : Object.values(EXPORT_FORMATS).find(({ ending }) => name.endsWith(`.${ending}`))!.type;

/**
 * Sends a file, or the one range of it that is asked for, so that a download which broke off can go on.
 * @throws ServiceError range_unsatisfiable.
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, id: string, file: ReadableFile) {
  const { name, bytes, sha256 } = file;
  const etag = `"${sha256}"`;
  reply.header('etag', etag).header('accept-ranges', 'bytes');
  if (noneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const { 'if-range': ifRange, range } = request.headers;
  const wanted = ifRange === undefined || ifRange === etag ? byteRange(range, bytes) : null;
  if (wanted === 'none') {
    reply.header('content-range', `bytes */${bytes}`);
    throw new ServiceError('range_unsatisfiable', { bytes });
  }
  const { start, end } = wanted ?? { start: 0, end: bytes };
  if (wanted) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${bytes}`);
  reply
    .type(typeOf(name))
    .header('content-length', end - start)
    .header('content-disposition', `attachment; filename="${id}-${name}"`);
  if (request.method === 'HEAD') return reply.send();
  return reply.send(Readable.from(file.bytesOf(start, end), { objectMode: false }));
}
