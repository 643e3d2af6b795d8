/** A request to the API: the one sent, and the one shown in snippets. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** A file that is sent instead of a body. */
  readonly file?: { readonly type: string; readonly text: string };
  /** Whether it needs no token. */
  readonly isPublic?: boolean;
  /** Whether it is answered by server-sent events. */
  readonly isStream?: boolean;
}
