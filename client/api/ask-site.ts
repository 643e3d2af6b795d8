// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { AskTrace, Citation, DataGap } from './schemas.ts';

/** A question about a registered site */
export interface AskSite {
  readonly input: {
    /** Of POST /v1/sites. */
    readonly site_id: string;
    /** In plain language, English or Spanish; answered in that language. */
    readonly question: string;
    /** Adds `trace`; default false. */
    readonly include_trace?: boolean;
  };
  readonly answer: {
    readonly site_id: string;
    readonly question: string;
    readonly answered_at: string;
    readonly answer: string;
    readonly confidence: 'high' | 'medium' | 'low';
    readonly citations: readonly Citation[];
    /** Fields with a value that the answer rests on. */
    readonly fields_used: readonly string[];
    /** Planned fields without a value, each with the reason. */
    readonly data_gaps: readonly DataGap[];
    readonly trace?: AskTrace;
  };
}
