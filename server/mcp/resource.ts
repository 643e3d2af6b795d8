import type { Ctx } from '../context.ts';

/** Something that clients may read by its URI. */
export interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** A URI, or a template (RFC 6570) with one `{name}`. */
  readonly uri: string;
  /** @param name what stands for the template's variable. @returns its text; null when there is none. */
  read(ctx: Ctx, name: string): string | null;
}

/** The value of a template's variable in a URI; empty without one, null when the URI is another resource's. */
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
