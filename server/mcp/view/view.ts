import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Ctx, termsOf } from '../../context.ts';
import { ServiceError } from '../../errors/registry.ts';
import { ShapeError, type ShapeIssue } from '../../http/shape.ts';
import { StateUnavailable } from '../../state/outage/unavailable.ts';
import { type ToolText, wholeText } from '../text.ts';
import type { Said } from '../tool.ts';
import { frameLines } from './lines.ts';
import { keepRest } from './rest.ts';
import { costOf, split } from './split.ts';
import { tokensOf } from './token-estimate.ts';
import type { ToolWords } from './tool-words.ts';
import { type View, type ViewRequest, WRITE_VIEW, writeView } from './writing.ts';

export const LEAST_TOKENS = 1_000;
export const MOST_TOKENS = 25_000;
const DEFAULT_TOKENS = 8_000;

/** Characters of an answer that the serving thread reads itself: that takes less than to hand it to another. */
const SHORT = 32_768;

/** Tokens of the words around what a refusal says. */
const REFUSAL = 40;

/** How an answer is wanted. */
export interface ViewTerms {
  readonly isFull: boolean;
  /** Of both forms together; null for those of a full answer. */
  readonly most: number | null;
}

export const DEFAULT_VIEW: ViewTerms = { isFull: false, most: DEFAULT_TOKENS };

/** The arguments of every tool beside its body. */
export const VIEW_KEYS: ReadonlySet<string> = new Set(['view', 'max_tokens']);

const VIEWS = "'slim' or 'full'";

/** Reads `view` and `max_tokens` from the arguments of a call. @throws ShapeError. */
export function readView({ view = 'slim', max_tokens: most }: Readonly<Record<string, unknown>>): ViewTerms {
  const issues: ShapeIssue[] = [];
  if (view !== 'slim' && view !== 'full')
    issues.push({
      loc: ['body', 'view'],
      msg: `Input should be ${VIEWS}`,
      type: 'literal_error',
      input: null,
      ctx: { expected: VIEWS },
    });
  const isNumber = Number.isInteger(most) && Number(most) >= LEAST_TOKENS && Number(most) <= MOST_TOKENS;
  if (most !== undefined && !isNumber)
    issues.push({
      loc: ['body', 'max_tokens'],
      msg: `Input should be an integer from ${LEAST_TOKENS} to ${MOST_TOKENS}`,
      type: 'int_type',
      input: null,
      ctx: { ge: LEAST_TOKENS, le: MOST_TOKENS },
    });
  if (issues.length > 0) throw new ShapeError(issues);
  const isFull = view === 'full';
  return { isFull, most: isFull ? null : ((most as number | undefined) ?? DEFAULT_TOKENS) };
}

/** What a tool said, with its structured part as JSON text; bytes are UTF-8. */
interface Written extends Said {
  readonly written: string | Buffer;
  readonly shapes: boolean;
  readonly words: ToolWords;
  readonly origin: string;
}

/** Writes the view in this thread, or a long one in another. */
async function written(ctx: Ctx, request: ViewRequest): Promise<View> {
  const { text } = request;
  if (text.length <= SHORT) return writeView(request);
  // A page of enriched parcels has 27 MB, and a copy of it would take longer than everything else that this thread does for it.
  const isOwn = typeof text !== 'string' && text.length > Buffer.poolSize && text.buffer instanceof ArrayBuffer;
  const transfer = isOwn ? [text.buffer] : [];
  return ctx.language.have(WRITE_VIEW, request, { ...termsOf(ctx), transfer }).catch((error: unknown) => {
    // What it took was done and perhaps charged: where it is still there it is answered, although that keeps others waiting.
    if (error instanceof ServiceError && text.length > 0) return writeView(request);
    throw error;
  });
}

/** Where an answer that was cut goes on; nowhere while the store is down. */
async function nextOf(ctx: Ctx, rest: Uint8Array, most: number | null): Promise<object> {
  try {
    const answer_id = await keepRest(ctx, rest);
    return {
      tool: 'service_rest',
      arguments: { req: { answer_id }, ...(most === DEFAULT_TOKENS ? {} : { max_tokens: most }) },
    };
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
    return { tool: null, arguments: {}, reason: 'The rest cannot be kept now: ask for less, or with more max_tokens.' };
  }
}

/** Both forms of an answer as the client sees them. */
export async function viewOf(
  ctx: Ctx,
  { text, written: whole, shapes, words, origin, isRest = false, beside }: Written,
  { isFull, most }: ViewTerms,
): Promise<{ readonly bytes: string | Buffer; readonly text: ToolText }> {
  if (isFull && !isRest) return { bytes: whole, text };
  const { structured, lines, rest } = await written(ctx, {
    text: whole,
    isRest,
    shapes,
    most,
    words,
    origin,
    ...(beside ? { beside } : {}),
  });
  if (rest === null) return { bytes: structured, text: wholeText(lines) };
  const next = await nextOf(ctx, rest, most);
  return {
    bytes: `${structured.slice(0, -1)},${JSON.stringify({ next }).slice(1)}`,
    text: wholeText([...lines, `next: ${JSON.stringify(next)}`]),
  };
}

/** A refusal without the last of its lists where it has too many tokens: what it is, and the call that helps, stay. */
export function fittedRefusal(refusal: CallToolResult, { most }: ViewTerms): CallToolResult {
  const { content, structuredContent, ...rest } = refusal;
  const text = content.map(part => (part as { readonly text: string }).text).join('\n');
  if (most === null || tokensOf(text) + tokensOf(JSON.stringify(structuredContent)) <= most) return refusal;
  const { detail, next } = structuredContent as { readonly detail: object; readonly next?: object };
  const own = Array.isArray(detail) ? { next, detail } : detail;
  const { error, message, next: helps = next, ...others } = own as Readonly<Record<string, unknown>>;
  const isSaid = helps !== undefined && costOf(helps) < most / 2;
  const said = { error, message, ...(isSaid ? { next: helps } : {}) };
  const { shown } = split(others, most - costOf(said) - REFUSAL);
  const kept = JSON.parse(JSON.stringify({ ...said, ...(shown as object) })) as Readonly<Record<string, unknown>>;
  const fitting = Array.isArray(detail) ? kept : { detail: kept };
  return { ...rest, content: [{ type: 'text', text: wholeText(frameLines(kept)) }], structuredContent: fitting };
}
