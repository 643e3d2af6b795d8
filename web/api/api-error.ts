/** A fault in a part of a body. */
export interface Issue {
  readonly path: string;
  readonly description: string;
  readonly hint?: string;
}

/** An error answer, with the server's message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when the server could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly retryAfter: number | null;
  constructor(
    status: number,
    code: string,
    message: string,
    issues: readonly Issue[] = [],
    retryAfter: number | null = null,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.retryAfter = retryAfter;
  }
}
