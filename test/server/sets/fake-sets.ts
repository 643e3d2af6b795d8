import { buildCatalog } from '../../../datasets/catalog.ts';
import type { AssemblageAnswer, AssemblageRequest } from '../../../query/assemblage/request.ts';
import type { BuildableAnswer, BuildableRequest } from '../../../query/buildable/request.ts';
import type { PointColumn, PointTable, PointTableRequest } from '../../../query/engine/contents/point-table.ts';
import type { CountAnswer, CountRequest, Unanswered } from '../../../query/engine/count-task.ts';
import type { SetQuestions } from '../../../query/engine/set/set-questions.ts';
import type { AggregateAnswer, AggregateRequest } from '../../../query/sets/aggregate.ts';
import { type AreaAnswer, type AreaRequest, areaAbout } from '../../../query/sets/area.ts';
import type { ExplainRequest, Explanation } from '../../../query/sets/explain.ts';
import type { MatchTileAnswer, MatchTileRequest } from '../../../query/sets/map/match-tile.ts';
import type { ParcelPlace } from '../../../query/sets/parcel-by-id.ts';
import type { SetPart, SetPartAnswer, SetPartRequest } from '../../../query/sets/part/set-part.ts';
import type { RankAnswer, RankRequest } from '../../../query/sets/rank.ts';
import type { SimilarAnswer, SimilarRequest } from '../../../query/sets/similar.ts';
import type { StructuresAnswer, StructuresRequest } from '../../../query/structures/request.ts';
import type {
  OwnerParcelsAnswer,
  OwnerParcelsRequest,
  OwnersAnswer,
  OwnersRequest,
} from '../../../query/suggest/owners.ts';
import { setAnswers } from './set-answers.ts';

const OWNED = {
  ...{ apn: '7', address: null, state: 'ME', county: 'Penobscot', city: null, acreage: 1, source: 'parcels' },
  analysis_point: { lat: 44.8, lng: -68.77, method: 'interior_point' },
  fields: {},
  field_status: {},
  parcel_id: 'pcl_7',
};

export interface FakeSets extends SetQuestions {}

/** The part of the fake engine that is asked about sets of parcels. A question that it has no method for is answered as before the first release. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: what it has no method for is answered below
export class FakeSets {
  /** Runs before every answer; may wait or throw. */
  before: (signal: AbortSignal | undefined) => Promise<void> = async () => {};

  readonly countings: CountRequest[] = [];
  /** What the next counts answer. */
  counted: CountAnswer = {
    count: 0,
    outlines: 0,
    atLeast: false,
    unread: false,
    unknown: 0,
    perFilter: [],
    preview: '[]',
    notices: [],
  };

  async count(request: CountRequest, { signal }: { deadline: number; signal?: AbortSignal }): Promise<CountAnswer> {
    this.countings.push(structuredClone(request));
    await this.before(signal);
    return this.counted;
  }

  readonly rankings: RankRequest[] = [];
  /** What the next ranks answer. */
  ranked: RankAnswer = {
    matches: '[]',
    considered: 0,
    absent: 0,
    failed: 0,
    unknown: 0,
    unread: false,
    empty: [],
    notices: [],
  };

  async rank(request: RankRequest, { signal }: { deadline: number; signal?: AbortSignal }): Promise<RankAnswer> {
    this.rankings.push(structuredClone(request));
    await this.before(signal);
    return this.ranked;
  }

  readonly aggregates: AggregateRequest[] = [];
  /** What the next aggregates answer. */
  aggregated: AggregateAnswer = {
    groups: '[]',
    count: 0,
    first: [],
    considered: 0,
    failed: 0,
    unknown: 0,
    unread: false,
    empty: [],
    notices: [],
  };

  async aggregate(
    request: AggregateRequest,
    { signal }: { deadline: number; signal?: AbortSignal },
  ): Promise<AggregateAnswer> {
    this.aggregates.push(structuredClone(request));
    await this.before(signal);
    return this.aggregated;
  }

  readonly explainings: ExplainRequest[] = [];
  /** What the next explanations are. */
  explained: Explanation = { count: 0, relax: [], unread: false, late: false, notices: [] };

  async explain(request: ExplainRequest, { signal }: { signal?: AbortSignal }): Promise<Explanation> {
    this.explainings.push(structuredClone(request));
    await this.before(signal);
    return this.explained;
  }

  readonly likenings: SimilarRequest[] = [];
  /** What the next likenesses are. */
  likened: SimilarAnswer = {
    matches: '[]',
    own: {},
    considered: 0,
    absent: 0,
    failed: 0,
    unknown: 0,
    unread: false,
    notices: [],
  };

  async similar(request: SimilarRequest, { signal }: { signal?: AbortSignal }): Promise<SimilarAnswer> {
    this.likenings.push(structuredClone(request));
    await this.before(signal);
    return this.likened;
  }

  readonly buildings: BuildableRequest[] = [];
  /** What can be built on next. */
  built: BuildableAnswer = { gross: 0, area: 0, largestPiece: 0, undecidable: 0, geometry: null, exclusions: [] };

  async buildable(request: BuildableRequest, { signal }: { signal?: AbortSignal }): Promise<BuildableAnswer> {
    this.buildings.push(structuredClone(request));
    await this.before(signal);
    return this.built;
  }

  readonly structuresAsked: StructuresRequest[] = [];
  /** What the next structures are. */
  structured: StructuresAnswer = {
    ...{ gross: 0, count: 0, structures: [], partly: false, rejected: 0, late: false },
    footprints: { status: 'ok', reason: null, retryable: false, source: 'a test', sourceUrl: null, vintage: null },
  };

  async structures(request: StructuresRequest, { signal }: { signal?: AbortSignal }): Promise<StructuresAnswer> {
    this.structuresAsked.push(structuredClone(request));
    await this.before(signal);
    return this.structured;
  }

  readonly partsAsked: SetPartRequest[] = [];
  /** What the next parts of sets are. */
  part: SetPart = { count: 0, table: null, places: [], next: null, unread: false, late: false };

  async setPart(request: SetPartRequest, { signal }: { signal?: AbortSignal }): Promise<SetPartAnswer> {
    this.partsAsked.push(structuredClone(request));
    await this.before(signal);
    return this.part;
  }

  readonly tilesAsked: MatchTileRequest[] = [];
  /** What the next tiles of sets are. */
  matchDrawn: MatchTileAnswer | Unanswered = { bytes: null, unknown: 0, unread: false, notices: [] };

  async matchTile(
    request: MatchTileRequest,
    { signal }: { signal?: AbortSignal },
  ): Promise<MatchTileAnswer | Unanswered> {
    this.tilesAsked.push(structuredClone(request));
    await this.before(signal);
    return this.matchDrawn;
  }

  readonly tablesAsked: PointTableRequest[] = [];

  /** Every field is 12.5, and every fourth point has none. */
  async pointTable(request: PointTableRequest, { signal }: { signal?: AbortSignal }): Promise<PointTable> {
    this.tablesAsked.push(structuredClone(request));
    await this.before(signal);
    const { names, points } = request;
    const absent = points.map((_, i) => i % 4 === 3);
    const column: PointColumn = {
      type: 'number',
      unit: 'm',
      values: absent.map(one => (one ? null : 12.5)),
      statuses: absent.map(one => (one ? 'a' : 'o')).join(''),
      citations: [{ source: 'test_dem', source_url: 'https://example.org/dem', dataset_vintage: '2021' }],
    };
    const lacking = absent.filter(one => one).length * names.length;
    return {
      columns: JSON.stringify(Object.fromEntries(names.map(name => [name, column]))),
      counts: { ok: points.length * names.length - lacking, absent: lacking, failed: 0 },
      billed: { fields: points.length * names.length, parcels: 0 },
    };
  }

  readonly assemblings: AssemblageRequest[] = [];
  /** Which groups are found next. */
  assembled: AssemblageAnswer = {
    groups: [],
    ownerless: 0,
    cut: 0,
    lacking: false,
    unknown: 0,
    unread: false,
    late: false,
    notices: [],
  };

  async assemblage(request: AssemblageRequest, { signal }: { signal?: AbortSignal }): Promise<AssemblageAnswer> {
    this.assemblings.push(structuredClone(request));
    await this.before(signal);
    return this.assembled;
  }

  readonly ownersAsked: (OwnersRequest | OwnerParcelsRequest)[] = [];
  /** Who the next owners are, and what they have. */
  owned: OwnersAnswer = { owners: [], more: false, lacking: false, unread: false, late: false };
  holdings: OwnerParcelsAnswer = {
    matches: JSON.stringify([OWNED]),
    count: 1,
    more: false,
    lacking: false,
    unread: false,
    late: false,
  };

  async owners(request: OwnersRequest, { signal }: { signal?: AbortSignal }): Promise<OwnersAnswer> {
    this.ownersAsked.push(structuredClone(request));
    await this.before(signal);
    return this.owned;
  }

  async ownerParcels(request: OwnerParcelsRequest, { signal }: { signal?: AbortSignal }): Promise<OwnerParcelsAnswer> {
    this.ownersAsked.push(structuredClone(request));
    await this.before(signal);
    return this.holdings;
  }

  /** What is answered of parcels. */
  parcelAnswers: SetQuestions['parcelAnswers'] = async ({ parcels }) => ({ parcels: parcels.map(() => null) });

  /** The places of parcels by their id. */
  readonly parcelPlaces = new Map<string, ParcelPlace>();

  async parcelPlace({ parcelId }: { readonly parcelId: string }): Promise<ParcelPlace> {
    return structuredClone(this.parcelPlaces.get(parcelId)) ?? { place: null };
  }

  async area(request: AreaRequest, { signal }: { signal?: AbortSignal }): Promise<AreaAnswer> {
    const asked = structuredClone(request);
    await this.before(signal);
    return areaAbout(asked, { stopped: () => false });
  }
}

for (const [name, answer] of Object.entries(setAnswers(null, buildCatalog([]))))
  if (!Object.hasOwn(FakeSets.prototype, name))
    Object.defineProperty(FakeSets.prototype, name, { value: answer, writable: true });
