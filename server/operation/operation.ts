import type { Static, TSchema } from 'typebox';
import type { SitingTemplate } from '../../datasets/siting-templates.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import type { SqlTask } from '../../query/sets/sql/set-sql.ts';
import type { Ctx } from '../context.ts';
import type { ErrorCode } from '../errors/registry.ts';
import type { TableSource } from '../formats/answer-table.ts';
import type { Format } from '../formats/format.ts';
import { kmlDocument, type Placemark } from '../formats/kml.ts';
import type { Scope } from '../scopes.ts';
import type { SearchServices } from '../search/operation.ts';
import type { KeptMatchMap, NewMatchMap } from '../tiles/match-map.ts';
import type { TAGS } from './tags.ts';

/** What an operation knows of a request, over HTTP, as a tool and in a command alike. */
export type OperationCtx = Pick<
  Ctx,
  'catalog' | 'engine' | 'release' | 'geocoder' | 'deadline' | 'signal' | 'account' | 'requestId'
>;

/** The rows of an upload, part after part. */
export interface UploadedRows {
  /** The way in which its rows name places. */
  readonly kind: 'point' | 'address' | 'polygon';
  readonly rows: number;
  /** Names of its columns. */
  readonly columns: readonly string[];
  /** JSON text of each part: an array of PlaceRow. */
  readonly parts: AsyncIterable<string>;
}

/** The services that operations have everywhere. */
export type OperationServices = SearchServices & {
  /** The coordinates of a MultiPolygon that can be driven to from a point in some minutes. @throws as Routing.areas. */
  readonly drive: (origin: Point, minutes: number) => Promise<unknown>;
  /** Keeps a map of a set of parcels for an hour. @returns the address of its tiles. */
  readonly keepMap: (map: NewMatchMap) => Promise<KeptMatchMap>;
  /** GeoJSON text of the polygon of a site of the account that asks; null where no account does. @throws ServiceError site_not_found, site_not_ready. */
  readonly siteShape: (siteId: string) => Promise<string | null>;
  /** A template of siting of the account that asks; null where no account does, or it has none of that name. */
  readonly sitingTemplate: (name: string) => Promise<SitingTemplate | null>;
  /** An upload of the account that asks; null where no account does, or it has no such one. */
  readonly upload: (uploadId: string) => Promise<UploadedRows | null>;
};

/** An answer for who reads text alone: its first lines, and how many there are, where they are not all. */
export interface AnswerLines {
  readonly lines: readonly string[];
  readonly count?: number;
}

/** What examples are about: a point and a state of the open release, an address there if it knows one, and filters that parcels pass. */
export interface ExampleGround {
  readonly spot: { readonly lat: number; readonly lng: number };
  readonly state: string;
  readonly address: string | null;
  readonly filters: readonly object[];
}

/** A value that only another operation's answer tells. In an example it stands as a variable of the shell, `$NAME`. */
interface Need {
  /** The id of that operation, and the property of its answer. */
  readonly of: string;
  readonly property: string;
  /** One that reads well, for tests. */
  readonly like: string;
}

/** How agents ask for an operation: as a word of a tool that several share, or by a tool of its own. */
type ToolPart<A> = (ToolWord | OwnTool) & {
  /**
   * Its answer for who reads text alone and asks for it whole (`view: 'full'`). The usual text of an agent is the cut answer itself, so
   * that both forms say the same: what must reach every agent is a key of the answer.
   */
  readonly text: (answer: A) => AnswerLines;
};

/** The word of an operation in a tool that several share. Every conversation of every agent pays for a tool, and a word is the least. */
interface ToolWord {
  /** The tool that it is part of, and its word there. */
  readonly tool: 'sets';
  readonly operation: string;
  /** What it tells, in a few words: every conversation of every agent pays for them. */
  readonly says: string;
  /** Keys of its body that other operations of the tool lack. Their descriptions are for models: as few words as will do. */
  readonly takes?: Readonly<Record<string, TSchema>>;
}

/** A tool of its own, for an operation that is about no set of parcels. It takes the body as it is. */
interface OwnTool {
  /** Without the prefix of all tools. */
  readonly tool: 'own';
  readonly name: string;
  readonly title: string;
  /** What it answers and costs, for a model that chooses among tools: two sentences. */
  readonly description: string;
  /** When agents shall call it, for the skill that teaches them: a few words that a colon and its name follow. */
  readonly when: string;
}

/**
 * Who checks a body. Its schema does in most operations. Those of sets check theirs by themselves, because a validator would repeat what
 * was sent, and geometries are long.
 */
type Judge = 'schema' | 'operation';

/** One operation, said once: everything else that is known of it by routes, prices, tools, commands, pages and tests follows. */
interface OperationSource<J extends Judge, S extends TSchema, A extends object> {
  /** `operationId` of the API description: what it is called in clients and pages. */
  readonly id: string;
  readonly route: `POST /v1/${string}`;
  readonly tag: (typeof TAGS)[number]['name'];
  readonly summary: string;
  readonly description: string;
  readonly judge: J;
  /** The body as it is described. Every key has a description, `additionalProperties` is false, and its examples are answered. */
  readonly body: S;
  readonly response: TSchema;
  /** Codes that it answers, beside those of every operation with a token and a body. */
  readonly errors: readonly ErrorCode[];
  /** Reads the bytes of a body, where JSON as it is would not do: large areas. */
  readonly parse?: (bytes: Buffer) => unknown;
  /** What a token needs: `read` where it costs nothing, `spend` where it may cost credits. */
  readonly scopes: readonly Scope[];
  /** What a call costs: credits, or null and words. */
  readonly price: { readonly credits: number | null; readonly unit: string };
  /** The limit that calls count against: the requests a minute of the plan, or those that come with every key. */
  readonly rate: 'plan' | 'typing';
  /** Whether accounts that are known may ask while the state store is down: where it costs nothing and changes nothing. */
  readonly withoutState: boolean;
  /** Milliseconds until it must have answered. */
  readonly limitMs: number;
  /** Bytes of an answer that is not made yet, about, from a body that is not checked yet; left out where answers are small. */
  readonly answerBytes?: (body: unknown) => number;
  /** How its answers are tables too, where they are: their source, and the body that a format wants. */
  readonly table?: {
    readonly source: (body: unknown) => TableSource;
    readonly bodyFor?: (format: Format, body: unknown) => unknown;
  };
  /** How its answer is a drawing too (KML), where it has polygons: the body that asks for all of them, and what is drawn. */
  readonly drawing?: {
    readonly bodyFor: (body: unknown) => unknown;
    readonly of: (answer: A) => readonly Placemark[];
  };
  /** A body for the page of the API and for tests. */
  readonly example: (ground: ExampleGround) => object;
  readonly needs?: Readonly<Record<string, Need>>;
  readonly tool: ToolPart<A>;
  /** `plat NAME`, and what its help says. */
  readonly command: { readonly name: string; readonly summary: string };
  /** The task that its question is in the end, where SQL says that one: then its command has `--explain`. */
  readonly sql?: SqlTask;
  /** The page that explains it; it must name the route. */
  readonly page: `docs/${string}.md`;
  /**
   * Answers it, without HTTP.
   * @param body of its schema; as parsed and not yet checked where it judges it itself.
   * @throws ServiceError of its `errors`; AbortError when the client has gone.
   */
  answer(ctx: OperationCtx, services: OperationServices, body: J extends 'schema' ? Static<S> : unknown): Promise<A>;
  /** The answer as JSON text, where parts of it are text already. */
  readonly written?: (answer: A) => string;
}

/** An operation whose answers are of a type that only itself knows. */
export type Operation = Omit<OperationSource<Judge, TSchema, object>, 'answer' | 'written' | 'tool' | 'drawing'> & {
  readonly tool: ToolWord | OwnTool;
  /** As of the source, its text from an answer as JSON; null where it has none. */
  readonly drawing: { readonly bodyFor: (body: unknown) => unknown; readonly text: (json: string) => string } | null;
  /** Its answer as JSON, what to say of it in text, and its warnings. @param body checked already where its schema judges it. */
  respond(
    ctx: OperationCtx,
    services: OperationServices,
    body: unknown,
  ): Promise<{ readonly json: string; readonly text: () => AnswerLines; readonly warnings: readonly string[] }>;
};

/** Declares an operation; a line in registry.ts makes it one of the service. */
export function defineOperation<J extends Judge, S extends TSchema, A extends object>({
  answer,
  written,
  drawing,
  ...source
}: OperationSource<J, S, A>): Operation {
  return {
    ...source,
    drawing: drawing
      ? {
          bodyFor: drawing.bodyFor,
          text: json => kmlDocument(source.summary, drawing.of(JSON.parse(json) as A)),
        }
      : null,
    async respond(ctx, services, body) {
      const given = await answer(ctx, services, body as Parameters<typeof answer>[2]);
      const { warnings = [] } = given as { readonly warnings?: readonly string[] };
      return {
        json: written ? written(given) : JSON.stringify(given),
        text: () => source.tool.text(given),
        warnings,
      };
    },
  };
}

/** An operation that is a word of a tool which several share. */
export type WordOperation = Operation & { readonly tool: ToolWord };
export const isWord = (operation: Operation): operation is WordOperation => operation.tool.tool === 'sets';

/** An operation with a tool of its own. */
export type OwnToolOperation = Operation & { readonly tool: OwnTool };
export const hasOwnTool = (operation: Operation): operation is OwnToolOperation => operation.tool.tool === 'own';

const VARIABLE = /^\$([A-Z_]+)$/;

/** The example with a value for each variable of it: a body that tests send. */
export function sampleOf({ example, needs = {} }: Operation, ground: ExampleGround): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(example(ground)), (_, value: unknown) => {
    const [, name] = typeof value === 'string' ? (VARIABLE.exec(value) ?? []) : [];
    return name === undefined ? value : needs[name]!.like;
  }) as Readonly<Record<string, unknown>>;
}
