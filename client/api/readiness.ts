// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Whether it can answer: release, datasets and workers */
export interface Readiness {
  readonly input: object;
  readonly answer: {
    /** `degraded`: it answers, and something of the release, or the next release, cannot be used; see `damage`. */
    readonly status: 'ready' | 'degraded';
    /** Id of the release that answers. */
    readonly release: string;
    /** Dataset → layer → what is installed. */
    readonly datasets: {
      readonly [name: string]: {
        readonly [name: string]: {
          readonly rows: number;
          readonly vintages: readonly string[];
          readonly sources: readonly string[];
        };
      };
    };
    readonly workers: {
      readonly size: number;
      readonly ready: number;
    };
    /** Layers that every worker has opened, and those that are opened when they are first asked for. */
    readonly warm: {
      readonly loaded: readonly string[];
      readonly on_demand: readonly string[];
    };
    /** Layers of which a file cannot be used. */
    readonly damaged: readonly string[];
    /** What cannot be used and why; the file `current` names the release, and `store` is where the next one cannot be pulled from. */
    readonly damage: readonly {
      readonly file: string;
      readonly layers: readonly string[];
      readonly problem: string;
    }[];
  };
}
