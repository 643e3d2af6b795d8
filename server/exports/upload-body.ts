import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { UPLOAD_TYPES } from './intake/forms.ts';
import { MOST_BYTES } from './limits.ts';
import { tooLarge } from './upload.ts';

/** Lets the routes of a scope take files instead of JSON. */
export function takeFiles(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(Object.keys(UPLOAD_TYPES), { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_, body, done) =>
    done(null, body),
  );
  scope.addContentTypeParser('*', (_request, _payload, done) =>
    done(new ServiceError('upload_type_unsupported', { types: Object.keys(UPLOAD_TYPES).join(', ') })),
  );
  scope.setErrorHandler(error => {
    const { code } = error as { readonly code?: string };
    throw code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge() : error;
  });
}
