/** A request to the API: what is sent, and what snippets show. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Whether it is answered without a token. */
  readonly isPublic?: boolean;
}
