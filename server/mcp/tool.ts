import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { Catalog } from '../../datasets/catalog.ts';
import type { AppServices } from '../app-services.ts';
import type { Ctx } from '../context.ts';
import type { ShapeIssue } from '../http/shape.ts';
import type { Scope } from '../scopes.ts';
import type { Holdings } from './holdings.ts';
import type { ToolText } from './text.ts';

/** Prefix of the names of tools. */
export const PREFIX = 'service_';

/** The answer of a tool: the body that HTTP answers, and a short text for clients that read only text. */
export interface Said {
  /** The body, or the JSON text in UTF-8 that the operation has written of it: it is sent as it is. */
  readonly structured: object | Buffer;
  /** The text of a full answer; that of a slim one is made from its structured part. */
  readonly text: ToolText;
  /** True of what was left of an earlier answer: `structured` is what is kept of it. */
  readonly isRest?: boolean;
  /** Plain data that a slim answer has beside the body. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Reports the progress of a call; does nothing when the client did not ask for it. */
export interface Progress {
  /** Whether the client asked to be told. */
  readonly wanted: boolean;
  tell(done: number, total: number | undefined, message: string): void;
}

/** The inputs of a tool call beside the body. */
export interface Call {
  readonly ctx: Ctx;
  readonly services: AppServices;
  readonly progress: Progress;
  readonly headers: IncomingHttpHeaders;
}

/** One body that a tool accepts, and the operation for it. */
export interface Form {
  /** The schema of the HTTP body. */
  readonly schema: TSchema;
  /** What the body without its `operation` is judged by, where `schema` is that of several forms. */
  readonly judged?: TSchema;
  /** True when the operation checks the body and reports its own issues. */
  readonly unjudged?: boolean;
  /** Makes the refusal of a body of the wrong shape, when it is not the default one. */
  readonly refused?: (issues: readonly ShapeIssue[]) => Error;
  /** A key that only this form of the tool has; the last form needs none. */
  readonly key?: string;
  /** The value of `operation` in the body that asks for this form, of a tool whose forms share one schema. */
  readonly operation?: string;
  /** The operation by the route that answers the same; null when HTTP has none. */
  readonly route: string | null;
  /** What a token needs, where the operation declares itself; otherwise it is in the table of routes. */
  readonly scopes?: readonly Scope[];
  /** Milliseconds that it may take. */
  readonly limitMs: number;
  /** Whether geometries were asked for. A slim answer has none otherwise. */
  readonly shapes?: (body: unknown) => boolean;
  /** Estimates the bytes of the answer, as the route does. */
  readonly answerBytes?: (body: unknown) => number;
  answer(call: Call, body: unknown): Promise<Said>;
}

/** One tool of /mcp: the bodies of its HTTP operations, and these operations. */
export interface Tool {
  /** Without the prefix `service_`. */
  readonly name: string;
  readonly title: string;
  /** What people should know of it beside its endpoints, for the table of docs/agents.md. */
  readonly remark?: string;
  readonly description: (catalog: Catalog) => string;
  /** A sentence on the parts that the open release cannot answer; null or absent where it can all. */
  readonly lack?: (holdings: Holdings) => string | null;
  /** What the skill tells agents of it, `{tool}` being its name; null where the descriptions of others say it. */
  readonly when: string | null;
  /** Whether it changes nothing except credits. */
  readonly readOnly: boolean;
  /** Whether its answers have records of fields. */
  readonly isCited?: boolean;
  /** Whether its answers have places that a map shows. */
  readonly isMapped?: boolean;
  readonly forms: readonly Form[];
}

/** Makes a form, with the type of its body. */
export const form = <S extends TSchema>(
  terms: Omit<Form, 'answer' | 'schema'> & {
    readonly schema: S;
    readonly answer: (call: Call, body: Static<S>) => Promise<Said>;
  },
): Form => ({ ...terms, answer: (call, body) => terms.answer(call, body as Static<S>) });
