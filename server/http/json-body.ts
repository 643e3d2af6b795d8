import type { FastifyBodyParser } from 'fastify';
import { Turns } from '../turns.ts';
import { freeBody, LONG } from './body-memory.ts';
import { ownerOf } from './client.ts';
import { parseJson } from './json.ts';

/**
 * Makes the parser of JSON bodies: that of the route, or parseJson. Long bodies are parsed owner after owner, with turns of the
 * event loop between them: thirty areas of 10,000 vertices that arrive at once would take a tenth of a second. Without turns
 * the slowest hundredth of a health probe beside them (`make bench-isolation`) takes 1.3 times as long.
 */
export function jsonBodyParser(): FastifyBodyParser<Buffer> {
  const turns = new Turns();
  // Without waiting, call back at once: a promise for each such step is a tenth of the time of a short request.
  return (request, body, done) => {
    const parse = () => {
      let value: unknown;
      try {
        value = (request.routeOptions.config.parse ?? parseJson)(body);
      } catch (error) {
        done(error as Error);
        return;
      } finally {
        freeBody(request, body);
      }
      done(null, value);
    };
    if (body.length < LONG) {
      parse();
      return;
    }
    void turns.take(ownerOf(request)).then(turn => {
      try {
        parse();
      } finally {
        turn.release();
      }
    });
  };
}
