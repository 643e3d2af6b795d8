import type { ErrorKind } from './error-kind.ts';

/** Error codes of answers to agents. */
export const ANSWER_ERRORS = {
  answer_not_found: {
    status: 404,
    message: 'Nothing is kept under this id: call the tool that answered once more.',
    retryable: false,
    meaning:
      "Only from the tools of /mcp. The rest of an answer is kept for an hour; this one is over, or another account's.",
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
