import type { ErrorKind } from './error-kind.ts';

/** Error codes of templates of siting. */
export const SITING_ERRORS = {
  template_not_found: {
    status: 404,
    message: 'The account has no template of this name: GET /v1/buildable/templates lists them.',
    retryable: false,
    meaning: "Unknown, another account's, or deleted. Templates that every account has cannot be deleted.",
    origin: 'plat',
  },
  templates_too_many: {
    status: 409,
    message: 'The account has {most} templates: delete one first.',
    retryable: false,
    meaning: 'The account has as many templates as it may; `max` is that number. Nothing was stored.',
    example: { most: 50 },
    exampleContext: { max: 50 },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
