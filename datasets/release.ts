import type { Box } from './geometry.ts';
import type { GroundCount } from './place/ground-kind.ts';
import type { Provenance } from './place/place.ts';

/** One content-addressed file below the release folder. */
export interface ReleaseFile {
  /**
   * `features` FlatGeobuf, `rows` Parquet or GeoParquet, `raster` GeoTIFF/COG, `coverage` FlatGeobuf of polygons,
   * `rejects` NDJSON of rows left out or repaired, `rejected` FlatGeobuf of those left out with the ground that they may
   * concern, `ground` FlatGeobuf of the rows of a parcel file that are roads, water or other ground and no parcels; `names` what the
   * parcels of a county are called by (query/suggest), `neighbours` which of them are neighbours (query/assemblage); `graph` the road graph of query/route; `ended` NDJSON of parcel keys that are never given again, `stacks` NDJSON of what tells apart
   * parcels of one number and shape; of overlays `columns` Parquet and `records` a row store; `tiles` the PMTiles archive of a
   * map layer; `quantiles` JSON of the quantiles of an area's parcels; `scorecard` JSON of how right a county's calculations are; `lists` a shard of the manifest.
   */
  readonly role:
    | 'features'
    | 'rows'
    | 'raster'
    | 'coverage'
    | 'addresses'
    | 'names'
    | 'neighbours'
    | 'rejects'
    | 'rejected'
    | 'ground'
    | 'graph'
    | 'ended'
    | 'stacks'
    | 'columns'
    | 'records'
    | 'tiles'
    | 'quantiles'
    | 'scorecard'
    | 'lists'
    | 'shard';
  /** `files/<first two hex digits>/<sha256>.<extension>`, relative to the releases folder. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  /**
   * Of a coverage what holds all of it, of rejected rows and of ground what holds all whose ground is known (null where none's is), so that it
   * is opened only where it may matter; absent in releases of earlier builds.
   */
  readonly box?: Box | null;
}

/** What one published file of a place (or a national one) contributed to a partition. */
export interface Part {
  /** Place whose file it is; a later ingest of the same place replaces it. */
  readonly place: string;
  /** Five digits: county of the place whose file it is; not of a file of the whole country. */
  readonly county?: string;
  readonly rows: number;
  readonly box: Box | null;
  /** Of one of several parts only those that are its own: coverage, addresses, rejects, ground. */
  readonly files: readonly ReleaseFile[];
  /** Whether features beyond this coverage are known to be unmapped: polygons (a `coverage` file), the raster's own extent, or everywhere. */
  readonly coverage: 'polygon' | 'extent' | 'everywhere';
  /**
   * West, south, east, north in degrees: beyond the coverage all is held that meets this box, so that the nearest of a place beside
   * the edge is known. Absent where nothing beyond it is known.
   */
  readonly reach?: Box;
  readonly provenance: Provenance & { readonly retrievedAt: string; readonly synthetic: boolean };
  /** Stated horizontal accuracy in metres where it is not that of the layer in the catalog (see PlaceLayer.accuracyM). */
  readonly accuracyM?: number;
  /** Columns this source does not publish, and conditions whose rows it lacks (see PlaceLayer.unpublished). */
  readonly unpublished: readonly string[];
}

/**
 * A piece of a layer by its area. Each place has its own, but for parcels: a county's stand in one, however many files and
 * places fill it, so that a row number there means one parcel.
 */
export interface Partition extends Part {
  /** `US`, `ME`, `ME/23019` or `ME/852b1b4ffffffff`. */
  readonly key: string;
  /**
   * Only where several files filled it: what each contributed. The column `part` of a row is the place here of its own.
   * What the partition says beside them is then of all together: sources joined by `;`, what none publishes, every file.
   */
  readonly parts?: readonly Part[];
}

/** A layer of a dataset in a release. */
export interface LayerVersion {
  /** Hash over its partitions: what caches are keyed by. */
  readonly version: string;
  readonly columns: readonly string[];
  /** All of them; of a layer with lists those are read that were not yet. @throws Fault when a shard is missing or damaged. */
  readonly partitions: readonly Partition[];
}

/** A line of a shard: JSON that is read when it is asked for. */
export interface ShardLine {
  /** Name of the shard. */
  readonly shard: string;
  /** Its offset in the shard, bytes as stored; null while no shard holds it. */
  readonly at: number | null;
  /** Its bytes as stored; 0 while no shard holds it. */
  readonly bytes: number;
  /** Of the text of the line. */
  readonly sha256: string;
}

/** What is said of some partitions together, so that a release is opened without reading them. */
export interface PartitionSummary {
  readonly rows: number;
  /** Each once, sorted. */
  readonly vintages: readonly string[];
  readonly sources: readonly string[];
  /** The newest moment of retrieval. */
  readonly retrievedAt: string;
}

/** What is said of some partitions so that who asks about other ground, or what none of them has, need not read them. */
export interface PartitionOutline {
  /**
   * Holds the boxes of their rows, rasters, coverages, rejected rows and ground, lng,lat; null where one covers everywhere or may lie
   * anywhere.
   */
  readonly reach: Box | null;
  /** Equal where coverages are the same files in the same order; null where boxes decide. */
  readonly coverages: string | null;
  /** What some of them do not publish, each once, sorted. */
  readonly unpublished: readonly string[];
  /** Whether rows of some were rejected. */
  readonly rejected: boolean;
  /** Whether some have rows that are ground and no parcels; absent where none has. */
  readonly ground?: true;
}

/** The partitions of a layer whose keys begin with the name of a shard. */
export interface PartitionList extends ShardLine, PartitionSummary {
  /** Hash over them without the moments of retrieval. */
  readonly version: string;
  /** Absent in manifests of earlier builds, whose lists are read whatever is asked. */
  readonly outline?: PartitionOutline;
}

/** The counts of a place's last ingest. */
export interface CountList extends ShardLine {
  readonly place: string;
}

/** The calculations of one parcels' file: a record of overlays. */
export interface CalculationList extends ShardLine {
  /** SHA-256 of the parcels' features file. */
  readonly parcels: string;
}

/**
 * A file of lines: the lists and counts of one state, or of `US`, which is of no state; or the calculations of a state's parcels.
 * It is a gzip file of one member a line, so that a line is read alone and `zcat` shows all.
 */
export interface Shard {
  /** Of role `shard`, or of role `lists`, in which earlier builds wrote lines as they are; its rows are lines. */
  readonly file: ReleaseFile;
  /** Places that its partitions name, sorted: an ingest of another place leaves it as it is. */
  readonly places: readonly string[];
}

/** What was computed for every parcel of one features file from one dataset. */
export interface Overlay {
  /** Hash over all that the values depend on: while it is the same they need not be computed again. */
  readonly inputs: string;
  /** Names of the computed fields, in the order of the files' columns. */
  readonly fields: readonly string[];
  /**
   * One of role `records`, and one of role `columns` where searches may filter by the fields; in the order of the parcels'
   * `ord`.
   */
  readonly files: readonly ReleaseFile[];
  /** Whether a source could not be read, so that the next overlay shall try again. */
  readonly retry?: boolean;
}

/** The vector tiles of one layer of the map (datasets/map-layers.ts) on one ground, drawn from the files of a release. */
export interface TileArchive {
  /** Hash over how a tile is drawn: tiles of an earlier archive with the same one are taken over where nothing changed. */
  readonly drawing: string;
  /** Hash over `drawing` and the files that are drawn: while it is the same the archive need not be made again. */
  readonly inputs: string;
  /** Holds all that is drawn, lng,lat degrees; null of nothing. Absent in releases of earlier builds: anywhere. */
  readonly box?: Box | null;
  /** Of role `tiles`; its rows are tiles. Null where a file that is drawn could not be read: tiles of that ground fail. */
  readonly file: ReleaseFile | null;
}

/** The quantiles of the numeric fields of the parcels of one area. */
export interface QuantileFile {
  /** Hash over the files that hold their values: while it is the same the quantiles need not be taken again. */
  readonly inputs: string;
  /** Of role `quantiles`; its rows are fields. */
  readonly file: ReleaseFile;
}

/** How right the calculations of a county's parcels were found to be. */
export interface ScoreFile {
  /** What was held against a second computation (query/release/scorecard.ts): while it is the same the score stands. */
  readonly inputs: string;
  /** Of role `scorecard`; its rows are fields. */
  readonly file: ReleaseFile;
}

/**
 * `releases/<id>.json`: everything a server needs to answer, and nothing that changes afterwards. In format 1 partitions, counts
 * and calculations stand in the file itself, in format 2 calculations alone, in format 3 none of them: shards beside it hold them,
 * stored files that it names by their content.
 */
export interface Manifest {
  readonly format: 1 | 2 | 3;
  readonly id: string;
  readonly createdAt: string;
  /** `@today` in conditions; YYYY-MM-DD. */
  readonly asOf: string;
  readonly previous: string | null;
  /** dataset id → layer name → version. */
  readonly datasets: Readonly<Record<string, Readonly<Record<string, LayerVersion>>>>;
  /**
   * Calculations of parcels: SHA-256 of the parcels' features file → overlay → what was computed. An
   * overlay is named by a dataset, and behind `+` the others that feed its fields; `area_key.` and a key; or by a
   * calculation of enrichment alone. By that file because `ord` changes only with it. In format 3 those of a file are read when they
   * are first asked for. @throws Fault as LayerVersion.partitions.
   */
  readonly overlays?: Readonly<Record<string, Readonly<Record<string, Overlay>>>>;
  /**
   * Layer of the map and, behind `/`, a ground (`parcels/ME/23019`) → its tiles there. In releases of earlier builds the layer alone →
   * all its tiles, or nothing.
   */
  readonly tiles?: Readonly<Record<string, TileArchive>>;
  /**
   * FIPS code of a county, letters of a state, or `US` for all → quantiles of its parcels; absent in releases of earlier builds, and
   * of an area whose files could not be read.
   */
  readonly quantiles?: Readonly<Record<string, QuantileFile>>;
  /** FIPS code of a county → its scorecard; absent where none was taken (`plat ingest score`). */
  readonly scorecards?: Readonly<Record<string, ScoreFile>>;
  /**
   * One entry a layer and place of the ingest that made it: counts that must add up. In shards read when first asked for.
   * @throws Fault as LayerVersion.partitions.
   */
  readonly ingests: readonly IngestCount[];
  /** Shards by their names, and the lines of the counts of each place and the calculations of each file; absent in format 1. */
  readonly shards?: Readonly<Record<string, Shard>>;
  readonly counts?: readonly CountList[];
  readonly calculations?: readonly CalculationList[];
  /** Expectations that this release's data does not meet and that were accepted when it was ingested. */
  readonly accepted?: readonly Acceptance[];
}

/** Of a join, the rows of its layer to which something of its file joined, those to which nothing did, and those that found several. */
export interface JoinCount {
  readonly file: string;
  readonly prefix: string;
  readonly joined: number;
  readonly unjoined: number;
  /** Among the joined. */
  readonly several: number;
}

/** read = written + skipped + rejected + ground (before dissolving); `repaired` rows are among the written. */
export interface IngestCount {
  readonly place: string;
  readonly dataset: string;
  readonly layer: string;
  readonly file: string;
  readonly read: number;
  readonly written: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly repaired: number;
  /** Where there are any: rows that were written, but whose address the geocoder cannot read. */
  readonly unaddressed?: number;
  readonly dissolvedTo: number | null;
  /** Absent in releases of builds that did not measure. */
  readonly quality?: LayerQuality;
  /** Of parcels where there are any: rows that are ground and no parcels, by kind. */
  readonly ground?: GroundCount;
  /** What was found out about the file that it does not declare, or declares wrongly: one sentence each. */
  readonly notes?: readonly string[];
  /** Why the file holds only a part of what its service has; absent where nothing says so. */
  readonly capped?: string;
  /** Where the layer has joins: what became of the rows that were not skipped. */
  readonly joins?: readonly JoinCount[];
}

/** What was measured of one file's rows; the next ingest is held against it. Counts of rows; what is nought is left out. */
export interface LayerQuality {
  /** Of the file, as the place states it. */
  readonly vintage: string;
  /** Rows that were neither skipped nor rejected on reading. */
  readonly rows: number;
  /** Mapped column → rows without a value; every mapped column is there. */
  readonly nulls: Readonly<Record<string, number>>;
  /** Column with a lookup or patterns, or prefix of a join → rows that asked it, and those for which something was found. */
  readonly hits: Readonly<Record<string, readonly [lookups: number, found: number]>>;
  /** Column → rows without a source value, which its `otherwise` does not fill. */
  readonly blanks: Readonly<Record<string, number>>;
  /** Column → rows whose value is not in the column's closed list. */
  readonly unlisted: Readonly<Record<string, number>>;
  /** null for a table. */
  readonly placed: Placed | null;
}

/** Features by where they lie. */
export interface Placed {
  readonly features: number;
  /** In the United States only with longitude and latitude exchanged. */
  readonly swapped: number;
  /** Beyond longitude ±180 or latitude ±90. */
  readonly noDegrees: number;
  /** On the globe, but neither way in the United States. */
  readonly elsewhere: number;
  /** In the United States, but by more than the margin beyond the box of `within`. */
  readonly outside: number;
  /**
   * Whose box that is, where the layer's own extent or file is its coverage; `country`: nothing smaller is known that the
   * layer is not itself. Absent for layers kept for the whole country, and in releases of earlier builds.
   */
  readonly within?: 'coverage' | 'county' | 'place' | 'state' | 'country';
}

/** An expectation that was not met and accepted by a flag. */
export interface Acceptance {
  readonly place: string;
  /** `place/dataset:layer/measure` and, of a column, `/column`. */
  readonly key: string;
  /** What was measured and expected. */
  readonly what: string;
  /** YYYY-MM-DD. */
  readonly on: string;
}
