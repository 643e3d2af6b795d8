import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { Catalog } from '../../datasets/catalog.ts';
import type { AppServices } from '../app-services.ts';
import type { Ctx } from '../context.ts';
import type { ShapeIssue } from '../http/shape.ts';

/** What a tool answers: the body that HTTP answers, and the same in a few lines for who reads only text. */
interface Said {
  readonly structured: object;
  readonly text: string;
}

/** Tells how far a call has come; does nothing when the client did not ask. */
export interface Progress {
  /** Whether the client asked to be told. */
  readonly wanted: boolean;
  tell(done: number, total: number | undefined, message: string): void;
}

/** What a call of a tool is given beside the body. */
export interface Call {
  readonly ctx: Ctx;
  readonly services: AppServices;
  readonly progress: Progress;
  readonly headers: IncomingHttpHeaders;
}

/** One body that a tool takes, and what it does with it. */
export interface Form {
  /** The schema of the HTTP body. */
  readonly schema: TSchema;
  /** Judged by the operation itself, whose issues are its own. */
  readonly unjudged?: boolean;
  /** The refusal of a body of the wrong shape, where it is not the default one. */
  readonly refused?: (issues: readonly ShapeIssue[]) => Error;
  /** A member that tells this form from others of the tool; the last form has none. */
  readonly key?: string;
  /** Milliseconds it may take. */
  readonly limitMs: number;
  answer(call: Call, body: unknown): Promise<Said>;
}

/** One tool of /mcp: the bodies of its HTTP operations, and the operations themselves. */
export interface Tool {
  /** Without the prefix `service_`. */
  readonly name: string;
  readonly title: string;
  readonly description: (catalog: Catalog) => string;
  /** Whether it changes nothing beside what it costs. */
  readonly readOnly: boolean;
  readonly forms: readonly Form[];
}

/** A form with its body's type. */
export const form = <S extends TSchema>(
  terms: Omit<Form, 'answer' | 'schema'> & {
    readonly schema: S;
    readonly answer: (call: Call, body: Static<S>) => Promise<Said>;
  },
): Form => ({ ...terms, answer: (call, body) => terms.answer(call, body as Static<S>) });
