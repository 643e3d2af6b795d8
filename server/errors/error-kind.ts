/** One entry of the registry: everything a client, a test or the docs need to know about an error code. */
export interface ErrorKind {
  readonly status: number;
  /** `{name}` is filled from the parameters given where the error is raised. */
  readonly message: string;
  readonly retryable: boolean;
  /** Parameters of its example in the API description. */
  readonly example?: Readonly<Record<string, string | number>>;
  /** Keys of the envelope beside the three fixed ones, as in the example. */
  readonly exampleContext?: Readonly<Record<string, unknown>>;
  /** Seconds sent as `Retry-After`; or in words how they follow from the moment, then whoever raises it gives them. */
  readonly retryAfter?: number | string;
  /** When it is raised and what the caller does about it. */
  readonly meaning: string;
  /** `spec`: a code of the service interface; `plat`: one of the few it leaves open. */
  readonly origin: 'spec' | 'plat';
}
