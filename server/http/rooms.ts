import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { type Held, type Holder, Room } from '../memory/room.ts';
import { ownerOf } from './client.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Estimates the bytes of the answer to this body. Requests with large answers wait for room. */
    answerBytes?: (body: unknown) => number;
  }
  interface FastifyReply {
    /**
     * Waits for room for an answer. Routes with `answerBytes` have done so before they are called.
     * @param bytes estimated. @throws ServiceError rate_limited when there is none.
     */
    enterRoom(bytes: number): Promise<void>;
    /** Counts the real bytes of the answer until the client has read them. Answers that Fastify sends are counted by it. */
    countAnswer(bytes: number): void;
  }
}

/** Answers of at least this many bytes wait for room; smaller ones only when their owner has filled its share. */
const LARGE_BYTES = 1024 * 1024;
/** Answers and bodies of at least this many bytes are counted. The limit on connections bounds smaller ones. */
const COUNTED_BYTES = 16 * 1024;

/** Memory budgets, in bytes, for request bodies and for answers. */
export interface Rooms {
  readonly bodies: Room;
  readonly answers: Room;
}

/**
 * One account may have as many bytes on their way as so many of the largest bodies have. A hundred areas of 10,000 vertices that
 * are read together keep the serving thread and the system busy: without this limit the slowest hundredth of another account's
 * fetches beside them (`make bench-isolation`) takes 1.7 times as long.
 */
const OWN_BODIES = 4;

/** Makes the room for bodies. @param bytes of all accounts; one may have half of it at most. @param most bytes of one body. */
export const bodyRoom = (bytes: number, most: number): Room =>
  new Room('body', bytes, { ownerBytes: Math.min(bytes / 2, OWN_BODIES * most) });

const HELD = new WeakMap<FastifyReply, Held>();

const holderOf = (request: FastifyRequest): Holder => ({ owner: ownerOf(request), connection: request.raw.socket });

/** Waits for room, until the response has ended. @throws ServiceError rate_limited when there is none. */
async function enter(room: Room, request: FastifyRequest, reply: FastifyReply, bytes: number, what: string) {
  const held = await room.enter(holderOf(request), bytes, reply.raw);
  if (!held) throw new ServiceError('rate_limited', { what }, {}, 1);
  return held;
}

/** Makes a long body wait for room before it is read. @returns null when it need not wait. */
export function roomForBody(
  { bodies }: Rooms,
  request: FastifyRequest,
  reply: FastifyReply,
  most: number,
): Promise<unknown> | null {
  const { headers } = request;
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : most;
  // A body over the limit is refused at once.
  if (!(length >= COUNTED_BYTES && length <= most)) return null;
  return enter(bodies, request, reply, length, 'Bodies of requests that are under way leave no room for another one');
}

/**
 * Makes requests with large answers wait for room before they are answered, and counts bytes that clients did not read.
 */
export function keepRoom(app: FastifyInstance, { answers }: Rooms): void {
  const needsRoom = (request: FastifyRequest, bytes: number) =>
    bytes >= LARGE_BYTES || (!request.routeOptions.config.unlimited && answers.isFilledBy(holderOf(request)));
  app.decorateReply('enterRoom', async function (this: FastifyReply, bytes: number) {
    const { request } = this;
    if (!needsRoom(request, bytes)) return;
    const what = 'Answers that were not read yet leave no room for another one';
    HELD.set(this, await enter(answers, request, this, bytes, what));
  });
  app.decorateReply('countAnswer', function (this: FastifyReply, bytes: number) {
    const held = HELD.get(this);
    if (held) held.resize(bytes);
    else if (bytes >= COUNTED_BYTES) HELD.set(this, answers.hold(holderOf(this.request), bytes, this.raw));
  });
  app.addHook('preHandler', (request, reply, done) => {
    const bytes = request.routeOptions.config.answerBytes?.(request.body) ?? 0;
    // A promise for each short request would cost more than the question.
    if (needsRoom(request, bytes)) reply.enterRoom(bytes).then(() => done(), done);
    else done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) reply.countAnswer(payload.length);
    done(null, payload);
  });
}
