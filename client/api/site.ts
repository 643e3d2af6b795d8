// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A registered site */
export interface Site {
  readonly input: {
    readonly site_id: string;
  };
  readonly answer: {
    readonly site_id: string;
    /** Once `ready`, its dossier can be read and questions answered. After `failed` register it again. */
    readonly status: 'building' | 'ready' | 'failed';
    /** International acres. */
    readonly site_acres: number;
    /** Least longitude and latitude, greatest longitude and latitude. */
    readonly site_extent: readonly number[];
    /** When the screening was through; null before. */
    readonly built_at: string | null;
  };
}
