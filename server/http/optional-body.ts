import type { preValidationHookHandler } from 'fastify';
import { parseJson } from './json.ts';

/** Parses a body that may be left out. */
export const parseOptional = (bytes: Buffer): unknown => (bytes.length === 0 ? undefined : parseJson(bytes));

/** Accepts no body like an empty object. A body of `null` is one, and of the wrong type. */
export const fillBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) request.body = {};
  done();
};
