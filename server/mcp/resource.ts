import type { Ctx } from '../context.ts';

/** A resource that clients can read by its URI. */
export interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** A URI, or a template (RFC 6570) with one `{name}`. */
  readonly uri: string;
  /** True of a page of the service's own, whose text is no text for models. */
  readonly isPage?: boolean;
  /** Reads it. @param name value of the template's variable. @returns its text; null when there is none. */
  read(ctx: Ctx, name: string): string | null | Promise<string | null>;
  /** The names of a template's variable that are most like a wrong one. */
  nearest?(ctx: Ctx, wrong: string): readonly string[];
}

/** The value of a template's variable in a URI: empty without a variable, null for the URI of another resource. */
export function variableOf({ uri }: Resource, wanted: string): string | null {
  const at = uri.indexOf('{name}');
  if (at < 0) return wanted === uri ? '' : null;
  const head = uri.slice(0, at);
  if (!wanted.startsWith(head)) return null;
  try {
    return decodeURIComponent(wanted.slice(head.length));
  } catch {
    return null;
  }
}
