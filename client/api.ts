// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { Accumulation } from './api/accumulation.ts';
import type { Aggregate } from './api/aggregate.ts';
import type { Area } from './api/area.ts';
import type { Ask } from './api/ask.ts';
import type { AskSite } from './api/ask-site.ts';
import type { AskStream } from './api/ask-stream.ts';
import type { Assemblage } from './api/assemblage.ts';
import type { BeginOnboarding } from './api/begin-onboarding.ts';
import type { Buildable } from './api/buildable.ts';
import type { ChangeSettings } from './api/change-settings.ts';
import type { Changes } from './api/changes.ts';
import type { Correction } from './api/correction.ts';
import type { CoverageCatalog } from './api/coverage-catalog.ts';
import type { CreateToken } from './api/create-token.ts';
import type { DeleteTemplate } from './api/delete-template.ts';
import type { DeleteWatch } from './api/delete-watch.ts';
import type { Enrich } from './api/enrich.ts';
import type { ExchangeConnectCode } from './api/exchange-connect-code.ts';
import type { Export } from './api/export.ts';
import type { ExportEvents } from './api/export-events.ts';
import type { ExportFile } from './api/export-file.ts';
import type { Fetch } from './api/fetch.ts';
import type { FetchBatch } from './api/fetch-batch.ts';
import type { FetchQuote } from './api/fetch-quote.ts';
import type { FieldCatalog } from './api/field-catalog.ts';
import type { FieldRequest } from './api/field-request.ts';
import type { FileCorrection } from './api/file-correction.ts';
import type { FileFieldRequest } from './api/file-field-request.ts';
import type { ForgetSite } from './api/forget-site.ts';
import type { Geocode } from './api/geocode.ts';
import type { Guest } from './api/guest.ts';
import type { Health } from './api/health.ts';
import type { ListCorrections } from './api/list-corrections.ts';
import type { ListExports } from './api/list-exports.ts';
import type { ListFieldRequests } from './api/list-field-requests.ts';
import type { ListGrants } from './api/list-grants.ts';
import type { ListRuns } from './api/list-runs.ts';
import type { ListSites } from './api/list-sites.ts';
import type { ListTemplates } from './api/list-templates.ts';
import type { ListTokens } from './api/list-tokens.ts';
import type { ListWatches } from './api/list-watches.ts';
import type { Lookup } from './api/lookup.ts';
import type { OgcCollection } from './api/ogc-collection.ts';
import type { OgcCollections } from './api/ogc-collections.ts';
import type { OgcConformance } from './api/ogc-conformance.ts';
import type { OgcGrid } from './api/ogc-grid.ts';
import type { OgcGrids } from './api/ogc-grids.ts';
import type { OgcItem } from './api/ogc-item.ts';
import type { OgcItems } from './api/ogc-items.ts';
import type { OgcLanding } from './api/ogc-landing.ts';
import type { OgcQueryables } from './api/ogc-queryables.ts';
import type { OgcTileSet } from './api/ogc-tile-set.ts';
import type { OgcTileSets } from './api/ogc-tile-sets.ts';
import type { OnboardingAttempt } from './api/onboarding-attempt.ts';
import type { OnboardingTerms } from './api/onboarding-terms.ts';
import type { Openapi } from './api/openapi.ts';
import type { OperatorPlaces } from './api/operator-places.ts';
import type { OwnerParcels } from './api/owner-parcels.ts';
import type { Owners } from './api/owners.ts';
import type { PlanCatalog } from './api/plan-catalog.ts';
import type { PollDeviceLogin } from './api/poll-device-login.ts';
import type { Proximity } from './api/proximity.ts';
import type { ProximityIsochrone } from './api/proximity-isochrone.ts';
import type { ProximityLaborShed } from './api/proximity-labor-shed.ts';
import type { ProximityMatrix } from './api/proximity-matrix.ts';
import type { ProximityNearest } from './api/proximity-nearest.ts';
import type { ProximityScreen } from './api/proximity-screen.ts';
import type { PutTemplate } from './api/put-template.ts';
import type { QuantileCatalog } from './api/quantile-catalog.ts';
import type { QuoteExport } from './api/quote-export.ts';
import type { Rank } from './api/rank.ts';
import type { Readiness } from './api/readiness.ts';
import type { Receipt } from './api/receipt.ts';
import type { RegisterSite } from './api/register-site.ts';
import type { RegisterWatch } from './api/register-watch.ts';
import type { RevealToken } from './api/reveal-token.ts';
import type { RevokeGrant } from './api/revoke-grant.ts';
import type { RevokeToken } from './api/revoke-token.ts';
import type { Run } from './api/run.ts';
import type { RunArtifact } from './api/run-artifact.ts';
import type { RunEvents } from './api/run-events.ts';
import type { Scorecard } from './api/scorecard.ts';
import type { Search } from './api/search.ts';
import type { SearchCount } from './api/search-count.ts';
import type { SearchExplain } from './api/search-explain.ts';
import type { SearchTiles } from './api/search-tiles.ts';
import type { SignOut } from './api/sign-out.ts';
import type { Similar } from './api/similar.ts';
import type { Site } from './api/site.ts';
import type { SiteDossier } from './api/site-dossier.ts';
import type { StartDeviceLogin } from './api/start-device-login.ts';
import type { Structures } from './api/structures.ts';
import type { SubmitExport } from './api/submit-export.ts';
import type { SubmitRun } from './api/submit-run.ts';
import type { Suggest } from './api/suggest.ts';
import type { TellOnboardingProgress } from './api/tell-onboarding-progress.ts';
import type { Usage } from './api/usage.ts';
import type { Watch } from './api/watch.ts';
import type { WithdrawFieldRequest } from './api/withdraw-field-request.ts';

export type { ErrorCode } from './api/error-code.ts';
export type * from './api/schemas.ts';

/** Version of the API description, and of this client. */
export const VERSION = '0.1.0';

/** What every operation takes and answers. */
export interface Operations {
  readonly accumulation: Accumulation;
  readonly aggregate: Aggregate;
  readonly area: Area;
  readonly ask: Ask;
  readonly askSite: AskSite;
  readonly askStream: AskStream;
  readonly assemblage: Assemblage;
  readonly beginOnboarding: BeginOnboarding;
  readonly buildable: Buildable;
  readonly change_settings: ChangeSettings;
  readonly changes: Changes;
  readonly correction: Correction;
  readonly coverageCatalog: CoverageCatalog;
  readonly create_token: CreateToken;
  readonly deleteTemplate: DeleteTemplate;
  readonly deleteWatch: DeleteWatch;
  readonly enrich: Enrich;
  readonly exchangeConnectCode: ExchangeConnectCode;
  readonly export: Export;
  readonly exportEvents: ExportEvents;
  readonly exportFile: ExportFile;
  readonly fetch: Fetch;
  readonly fetchBatch: FetchBatch;
  readonly fetchQuote: FetchQuote;
  readonly fieldCatalog: FieldCatalog;
  readonly fieldRequest: FieldRequest;
  readonly fileCorrection: FileCorrection;
  readonly fileFieldRequest: FileFieldRequest;
  readonly forgetSite: ForgetSite;
  readonly geocode: Geocode;
  readonly guest: Guest;
  readonly health: Health;
  readonly listCorrections: ListCorrections;
  readonly listExports: ListExports;
  readonly listFieldRequests: ListFieldRequests;
  readonly listRuns: ListRuns;
  readonly listSites: ListSites;
  readonly listTemplates: ListTemplates;
  readonly listWatches: ListWatches;
  readonly list_grants: ListGrants;
  readonly list_tokens: ListTokens;
  readonly lookup: Lookup;
  readonly ogcCollection: OgcCollection;
  readonly ogcCollections: OgcCollections;
  readonly ogcConformance: OgcConformance;
  readonly ogcGrid: OgcGrid;
  readonly ogcGrids: OgcGrids;
  readonly ogcItem: OgcItem;
  readonly ogcItems: OgcItems;
  readonly ogcLanding: OgcLanding;
  readonly ogcQueryables: OgcQueryables;
  readonly ogcTileSet: OgcTileSet;
  readonly ogcTileSets: OgcTileSets;
  readonly onboardingAttempt: OnboardingAttempt;
  readonly onboardingTerms: OnboardingTerms;
  readonly openapi: Openapi;
  readonly operator_places: OperatorPlaces;
  readonly ownerParcels: OwnerParcels;
  readonly owners: Owners;
  readonly planCatalog: PlanCatalog;
  readonly pollDeviceLogin: PollDeviceLogin;
  readonly proximity: Proximity;
  readonly proximity_isochrone: ProximityIsochrone;
  readonly proximity_labor_shed: ProximityLaborShed;
  readonly proximity_matrix: ProximityMatrix;
  readonly proximity_nearest: ProximityNearest;
  readonly proximity_screen: ProximityScreen;
  readonly putTemplate: PutTemplate;
  readonly quantileCatalog: QuantileCatalog;
  readonly quoteExport: QuoteExport;
  readonly rank: Rank;
  readonly readiness: Readiness;
  readonly receipt: Receipt;
  readonly registerSite: RegisterSite;
  readonly registerWatch: RegisterWatch;
  readonly reveal_token: RevealToken;
  readonly revoke_grant: RevokeGrant;
  readonly revoke_token: RevokeToken;
  readonly run: Run;
  readonly runArtifact: RunArtifact;
  readonly runEvents: RunEvents;
  readonly scorecard: Scorecard;
  readonly search: Search;
  readonly searchCount: SearchCount;
  readonly searchExplain: SearchExplain;
  readonly searchTiles: SearchTiles;
  readonly sign_out: SignOut;
  readonly similar: Similar;
  readonly site: Site;
  readonly siteDossier: SiteDossier;
  readonly startDeviceLogin: StartDeviceLogin;
  readonly structures: Structures;
  readonly submitExport: SubmitExport;
  readonly submitRun: SubmitRun;
  readonly suggest: Suggest;
  readonly tellOnboardingProgress: TellOnboardingProgress;
  readonly usage: Usage;
  readonly watch: Watch;
  readonly withdrawFieldRequest: WithdrawFieldRequest;
}

/** How every operation is sent. */
export const OPERATIONS = {
  accumulation: { method: 'POST', path: '/v1/accumulation', body: true },
  aggregate: { method: 'POST', path: '/v1/aggregate', body: true },
  area: { method: 'POST', path: '/v1/areas', body: true },
  ask: { method: 'POST', path: '/v1/ask', body: true },
  askSite: { method: 'POST', path: '/v1/ask-site', body: true },
  askStream: { method: 'POST', path: '/v1/ask/stream', body: true },
  assemblage: { method: 'POST', path: '/v1/assemblage', body: true },
  beginOnboarding: { method: 'POST', path: '/v1/users/me/onboarding', body: true },
  buildable: { method: 'POST', path: '/v1/buildable', body: true },
  change_settings: { method: 'PATCH', path: '/v1/users/me/settings', body: true },
  changes: { method: 'GET', path: '/v1/changes', query: ['since', 'state', 'fields', 'limit', 'cursor'] },
  correction: { method: 'GET', path: '/v1/corrections/{correction_id}' },
  coverageCatalog: {
    method: 'GET',
    path: '/v1/meta/coverage',
    query: ['state', 'county', 'dataset', 'after', 'limit'],
  },
  create_token: { method: 'POST', path: '/v1/users/me/tokens', body: true },
  deleteTemplate: { method: 'DELETE', path: '/v1/buildable/templates/{template}' },
  deleteWatch: { method: 'DELETE', path: '/v1/watches/{watch_id}' },
  enrich: { method: 'POST', path: '/v1/enrich', body: true },
  exchangeConnectCode: { method: 'POST', path: '/v1/onboarding/exchange', body: true },
  export: { method: 'GET', path: '/v1/exports/{export_id}' },
  exportEvents: { method: 'GET', path: '/v1/exports/{export_id}/events' },
  exportFile: { method: 'GET', path: '/v1/exports/{export_id}/files/{name}' },
  fetch: { method: 'POST', path: '/v1/fetch', body: true },
  fetchBatch: { method: 'POST', path: '/v1/fetch/batch', body: true, key: 'header' },
  fetchQuote: { method: 'POST', path: '/v1/fetch/quote', body: true },
  fieldCatalog: { method: 'GET', path: '/v1/meta/fields', query: ['county_fips', 'available'] },
  fieldRequest: { method: 'GET', path: '/v1/field-requests/{request_id}' },
  fileCorrection: { method: 'POST', path: '/v1/corrections', body: true },
  fileFieldRequest: { method: 'POST', path: '/v1/field-requests', body: true, key: 'body' },
  forgetSite: { method: 'DELETE', path: '/v1/sites/{site_id}' },
  geocode: { method: 'POST', path: '/v1/geocode', body: true },
  guest: { method: 'POST', path: '/v1/guest', body: true },
  health: { method: 'GET', path: '/healthz' },
  listCorrections: { method: 'GET', path: '/v1/corrections', query: ['limit', 'cursor'] },
  listExports: { method: 'GET', path: '/v1/exports', query: ['limit', 'cursor'] },
  listFieldRequests: { method: 'GET', path: '/v1/field-requests', query: ['limit', 'cursor'] },
  listRuns: { method: 'GET', path: '/v1/runs', query: ['limit', 'cursor'] },
  listSites: { method: 'GET', path: '/v1/sites', query: ['limit', 'cursor'] },
  listTemplates: { method: 'GET', path: '/v1/buildable/templates' },
  listWatches: { method: 'GET', path: '/v1/watches', query: ['limit', 'cursor'] },
  list_grants: { method: 'GET', path: '/v1/users/me/grants' },
  list_tokens: { method: 'GET', path: '/v1/users/me/tokens' },
  lookup: { method: 'POST', path: '/v1/lookup', body: true },
  ogcCollection: { method: 'GET', path: '/v1/ogc/collections/{collectionId}' },
  ogcCollections: { method: 'GET', path: '/v1/ogc/collections' },
  ogcConformance: { method: 'GET', path: '/v1/ogc/conformance' },
  ogcGrid: { method: 'GET', path: '/v1/ogc/tileMatrixSets/{tileMatrixSetId}' },
  ogcGrids: { method: 'GET', path: '/v1/ogc/tileMatrixSets' },
  ogcItem: { method: 'GET', path: '/v1/ogc/collections/{collectionId}/items/{featureId}', query: ['crs', 'f'] },
  ogcItems: {
    method: 'GET',
    path: '/v1/ogc/collections/{collectionId}/items',
    query: ['limit', 'bbox', 'bbox-crs', 'crs', 'datetime', 'filter', 'filter-lang', 'filter-crs', 'cursor', 'f'],
  },
  ogcLanding: { method: 'GET', path: '/v1/ogc' },
  ogcQueryables: { method: 'GET', path: '/v1/ogc/collections/{collectionId}/queryables' },
  ogcTileSet: { method: 'GET', path: '/v1/ogc/tiles/{tileMatrixSetId}' },
  ogcTileSets: { method: 'GET', path: '/v1/ogc/tiles' },
  onboardingAttempt: { method: 'GET', path: '/v1/users/me/onboarding/{attempt_id}' },
  onboardingTerms: { method: 'GET', path: '/v1/onboarding/terms' },
  openapi: { method: 'GET', path: '/v1/openapi.json' },
  operator_places: { method: 'GET', path: '/v1/operator/places' },
  ownerParcels: { method: 'POST', path: '/v1/owners/parcels', body: true },
  owners: { method: 'POST', path: '/v1/owners', body: true },
  planCatalog: { method: 'GET', path: '/v1/meta/plans' },
  pollDeviceLogin: { method: 'POST', path: '/v1/mcp/device/poll', body: true },
  proximity: { method: 'POST', path: '/v1/proximity', body: true },
  proximity_isochrone: { method: 'POST', path: '/v1/proximity/isochrone', body: true },
  proximity_labor_shed: { method: 'POST', path: '/v1/proximity/labor_shed', body: true },
  proximity_matrix: { method: 'POST', path: '/v1/proximity/matrix', body: true },
  proximity_nearest: { method: 'POST', path: '/v1/proximity/nearest', body: true },
  proximity_screen: { method: 'POST', path: '/v1/proximity/screen', body: true },
  putTemplate: { method: 'PUT', path: '/v1/buildable/templates/{template}', body: true },
  quantileCatalog: { method: 'GET', path: '/v1/meta/quantiles', query: ['fields', 'county_fips'] },
  quoteExport: { method: 'POST', path: '/v1/exports/quote', body: true },
  rank: { method: 'POST', path: '/v1/rank', body: true },
  readiness: { method: 'GET', path: '/readyz' },
  receipt: { method: 'GET', path: '/v1/receipts/{receipt_id}' },
  registerSite: { method: 'POST', path: '/v1/sites', body: true },
  registerWatch: { method: 'POST', path: '/v1/watches', body: true },
  reveal_token: { method: 'POST', path: '/v1/users/me/tokens/{id}/reveal', body: true },
  revoke_grant: { method: 'DELETE', path: '/v1/users/me/grants/{id}' },
  revoke_token: { method: 'DELETE', path: '/v1/users/me/tokens/{id}' },
  run: { method: 'GET', path: '/v1/runs/{run_id}' },
  runArtifact: { method: 'GET', path: '/v1/runs/{run_id}/artifacts/{fmt}' },
  runEvents: { method: 'GET', path: '/v1/runs/{run_id}/events' },
  scorecard: { method: 'GET', path: '/v1/meta/scorecard', query: ['field', 'county_fips'] },
  search: { method: 'POST', path: '/v1/search', body: true },
  searchCount: { method: 'POST', path: '/v1/search/count', body: true },
  searchExplain: { method: 'POST', path: '/v1/search/explain', body: true },
  searchTiles: { method: 'POST', path: '/v1/search/tiles', body: true },
  sign_out: { method: 'POST', path: '/v1/users/me/sign-out', body: true },
  similar: { method: 'POST', path: '/v1/similar', body: true },
  site: { method: 'GET', path: '/v1/sites/{site_id}' },
  siteDossier: { method: 'GET', path: '/v1/sites/{site_id}/dossier' },
  startDeviceLogin: { method: 'POST', path: '/v1/mcp/device/start', body: true },
  structures: { method: 'POST', path: '/v1/structures', body: true },
  submitExport: { method: 'POST', path: '/v1/exports', body: true, key: 'header' },
  submitRun: { method: 'POST', path: '/v1/runs', body: true, key: 'header' },
  suggest: { method: 'GET', path: '/v1/suggest', query: ['q', 'lat', 'lng', 'kinds', 'limit'] },
  tellOnboardingProgress: { method: 'POST', path: '/v1/onboarding/{attempt_id}/progress', body: true },
  usage: { method: 'GET', path: '/v1/users/me/usage' },
  watch: { method: 'GET', path: '/v1/watches/{watch_id}' },
  withdrawFieldRequest: { method: 'DELETE', path: '/v1/field-requests/{request_id}' },
} as const;
