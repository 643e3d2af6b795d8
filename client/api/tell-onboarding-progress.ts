// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Say how far the agent has come */
export interface TellOnboardingProgress {
  readonly input: {
    readonly attempt_id: string;
  } & {
    readonly stage: 'installed' | 'verified';
    /** Clients that the server was added to; those told before stay. */
    readonly clients?: readonly string[];
    readonly skill_installed?: boolean;
  };
  readonly answer: {
    readonly attempt_id: string;
    /** `connected` once the code was exchanged; `complete` with clients, skill, the stage `verified` and a first call. */
    readonly status: 'waiting' | 'connected' | 'complete';
    /** When `installed` was told first. */
    readonly installed_at: string | null;
    /** When `verified` was told first. */
    readonly verified_at: string | null;
    /** When a fetch of this attempt first gave a value. */
    readonly first_call_at: string | null;
    readonly clients: readonly string[];
    readonly skill_installed: boolean;
    /** What it asked and where the values came from; never the values. */
    readonly first_call: {
      readonly fields: readonly string[];
      readonly source_urls: readonly string[];
    } | null;
    /** Of the connect code. */
    readonly expires_at: string;
  };
}
