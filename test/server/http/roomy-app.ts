import Fastify, { type FastifyInstance } from 'fastify';
import { bodyRoom, keepRoom } from '../../../server/http/rooms.ts';
import { Room } from '../../../server/memory/room.ts';

const BYTES = 100_000_000;

/** An application without routes that has room for answers, as that of the server has. */
export function roomyApp(): FastifyInstance {
  const app = Fastify();
  keepRoom(app, { bodies: bodyRoom(BYTES, BYTES), answers: new Room('answer', BYTES) });
  return app;
}
