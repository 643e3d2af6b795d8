/** A function of `conform`, as OpenAddresses writes it: a name and what it takes. */
export interface ConformFunction {
  readonly function: string;
  readonly [argument: string]: unknown;
}

/** How one attribute is made of the columns of the source: a column, columns joined by blanks, or a function. */
export type ConformValue = string | readonly string[] | ConformFunction;

/** How a file is read and its rows become attributes. Keys that are no attributes say how the file is read. */
export interface Conform {
  readonly format?: string;
  readonly [key: string]: ConformValue | number | boolean | null | undefined;
}

/** One published file of a definition. */
export interface DirectorySource {
  readonly name: string;
  readonly data: string;
  readonly protocol: string;
  readonly compression?: string;
  readonly conform?: Conform;
  readonly skip?: boolean;
  readonly note?: string;
  readonly attribution?: string;
  readonly website?: string;
  readonly license?: string | Readonly<Record<string, unknown>>;
  readonly request?: unknown;
  readonly test?: ConformTest;
}

/** Rows with what becomes of them, by which a definition tests itself. */
export interface ConformTest {
  readonly enabled?: boolean;
  readonly 'acceptance-tests'?: readonly {
    readonly description?: string;
    readonly inputs: Readonly<Record<string, string>>;
    readonly expected: Readonly<Record<string, string>>;
  }[];
}

/** Kinds of layers that definitions have. */
export type DirectoryLayer = 'addresses' | 'parcels' | 'buildings' | 'centerlines';

/** A definition of the directory: the sources of one county, state, city or region. */
export interface Definition {
  /** Path in the directory: `sources/us/me/statewide.json`. */
  readonly path: string;
  readonly scope: 'nation' | 'state' | 'county' | 'city';
  /** Two letters; null for the nation. */
  readonly state: string | null;
  /** Five-digit FIPS codes of its counties; none for a state or the nation, or where nothing tells them. */
  readonly counties: readonly string[];
  /** Seven-digit code of the city (Census Bureau), where it has one. */
  readonly place?: string;
  /** Its name, which tells whether the code is that of another city. */
  readonly city?: string;
  /** Codes of counties that it says beside, wrongly: its name is that of `counties`. */
  readonly contradicts?: readonly string[];
  readonly layers: Readonly<Partial<Record<DirectoryLayer, readonly DirectorySource[]>>>;
}
