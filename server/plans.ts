/** Plans in ascending order. */
export const PLAN_NAMES = ['free', 'build', 'growth', 'scale', 'market'] as const;
export type Plan = (typeof PLAN_NAMES)[number];

/**
 * What each plan includes: credits a calendar month, requests a minute, the price of the parcel-record group, how many
 * runs may wait to be started, and how many sites to be screened, field requests that have not ended, rows of exports a day, and watches.
 */
export const PLANS = {
  free: {
    creditsPerMonth: 1_000,
    requestsPerMinute: 60,
    parcelRecordCredits: 300,
    waitingJobs: 100,
    openFieldRequests: 20,
    exportRows: 1_000,
    watches: 2,
  },
  build: {
    creditsPerMonth: 25_000,
    requestsPerMinute: 120,
    parcelRecordCredits: 300,
    waitingJobs: 200,
    openFieldRequests: 20,
    exportRows: 20_000,
    watches: 20,
  },
  growth: {
    creditsPerMonth: 150_000,
    requestsPerMinute: 300,
    parcelRecordCredits: 300,
    waitingJobs: 500,
    openFieldRequests: 20,
    exportRows: 200_000,
    watches: 100,
  },
  scale: {
    creditsPerMonth: 1_000_000,
    requestsPerMinute: 600,
    parcelRecordCredits: 150,
    waitingJobs: 1_000,
    openFieldRequests: 20,
    exportRows: 2_000_000,
    watches: 500,
  },
  market: {
    creditsPerMonth: 5_000_000,
    requestsPerMinute: 1_200,
    parcelRecordCredits: 150,
    waitingJobs: 2_000,
    openFieldRequests: 20,
    exportRows: 2_000_000,
    watches: 2_000,
  },
} as const satisfies Record<
  Plan,
  {
    readonly creditsPerMonth: number;
    readonly requestsPerMinute: number;
    readonly parcelRecordCredits: number;
    readonly waitingJobs: number;
    readonly openFieldRequests: number;
    readonly exportRows: number;
    readonly watches: number;
  }
>;

/** Credits of a fetch field outside the parcel-record group, per location. */
export const FIELD_CREDITS = 1;

/** The price of one call of an endpoint. */
export interface Price {
  readonly endpoint: string;
  readonly credits: number | null;
  readonly unit: string;
}

/**
 * The price of one call of each endpoint: in credits, or in words where it is not one number. Operations that declare themselves say
 * theirs; operations/prices.ts has both.
 */
export const ENDPOINT_PRICES = [
  {
    endpoint: 'POST /v1/fetch',
    credits: null,
    unit: 'per field and location; the parcel-record group once per location',
  },
  {
    endpoint: 'POST /v1/fetch/batch',
    credits: null,
    unit: 'as fetch, per location answered; a geocode per address not cached',
  },
  { endpoint: 'POST /v1/runs', credits: null, unit: 'as the batch that it carries out' },
  { endpoint: 'POST /v1/fetch/quote', credits: 0, unit: 'per call' },
  { endpoint: 'POST /v1/geocode', credits: 1, unit: 'per call' },
  { endpoint: 'POST /v1/lookup', credits: 2, unit: 'per call' },
  { endpoint: 'POST /v1/ask', credits: 20, unit: 'per call' },
  { endpoint: 'POST /v1/ask/stream', credits: 20, unit: 'per call' },
  { endpoint: 'POST /v1/ask-site', credits: 10, unit: 'per call' },
  { endpoint: 'POST /v1/sites', credits: 10, unit: 'per validated call' },
  { endpoint: 'POST /v1/proximity', credits: 1, unit: 'per 10 driving calculations' },
  { endpoint: 'POST /v1/search', credits: 0, unit: 'per call' },
  {
    endpoint: 'POST /v1/exports',
    credits: null,
    unit: 'fields of POST /v1/fetch as there, per row; a geocode per address not cached; else nothing',
  },
  { endpoint: 'POST /v1/exports/quote', credits: 0, unit: 'per call' },
  { endpoint: 'POST /v1/uploads', credits: 0, unit: 'per call' },
  { endpoint: 'POST /v1/enrich', credits: 0, unit: 'per call' },
  { endpoint: 'GET /v1/changes', credits: 0, unit: 'per call' },
] as const;
