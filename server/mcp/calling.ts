import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { AppServices } from '../app-services.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { contextOf } from '../http/context.ts';
import { freeWithResponse, sentOnce } from '../http/sending.ts';
import { MAX_NAMES, ShapeError, type ShapeIssue, shapeIssues } from '../http/shape.ts';
import { jsonOf } from '../http/written-json.ts';
import { wantsReceipt } from '../receipts/header.ts';
import { issueReceipt } from '../receipts/issue.ts';
import type { Bill } from '../state/usage/bill.ts';
import { withoutOperation } from './body.ts';
import { bodyRepair } from './body-repair.ts';
import type { Served } from './content.ts';
import { holdingsOf, parcelStates } from './holdings.ts';
import { bodyAside, nextCall, presetCall } from './next-call.ts';
import type { NextCall } from './refused-call.ts';
import { TOOLS } from './registry.ts';
import { shortText } from './text.ts';
import { type Form, PREFIX, type Progress, type Said, type Tool } from './tool.ts';
import { inToolWords, toolWords } from './view/tool-words.ts';
import { DEFAULT_VIEW, fittedRefusal, readView, VIEW_KEYS, type ViewTerms, viewOf } from './view/view.ts';

const WORDS = toolWords(TOOLS);
/** Characters of a next call that a refusal says: of a longer one, with an area in it, a part would be wrong. */
const MOST_NEXT = 2_000;

/** Makes the result of a refused call: the body that HTTP answers, and how long to wait. */
function refusal(error: ServiceError | ShapeError): CallToolResult {
  if (error instanceof ShapeError) {
    const lines = error.issues.map(({ loc, msg }) => `${['req', ...loc.slice(1)].join('.')}: ${msg}`);
    return failed({ detail: error.issues }, `The request has the wrong shape. ${lines.join('; ')}`);
  }
  const { retryAfter, retryable, code, message, context } = error;
  const wait = retryAfter instanceof Date ? retryAfter.toISOString() : retryAfter;
  const advice = retryable
    ? ` Can be tried again${wait === undefined ? '' : `, after: ${wait}${typeof wait === 'number' ? ' s' : ''}`}.`
    : '';
  const issues = Array.isArray(context.issues) ? ` ${JSON.stringify(context.issues)}` : '';
  return failed(error.body, `${code}: ${message}${advice}${issues}`);
}

const failed = (structured: object, ...lines: readonly string[]): CallToolResult => ({
  content: [{ type: 'text', text: shortText(lines) }],
  structuredContent: structured as Record<string, unknown>,
  isError: true,
});

/** The key of the price in the metadata of a result: an answer in events has sent its headers before it is known. */
const CREDITS = 'org.example.plat/credits';

/** What a call was charged and what is left, beside what models read; nothing where nothing is metered. */
const priceOf = ({ sums }: Bill): NonNullable<CallToolResult['_meta']> => (sums ? { [CREDITS]: sums } : {});

/** An issue without what the model has sent, which it knows: a polygon has ten thousand numbers. */
function withoutEcho({ input: _, ctx, ...issue }: ShapeIssue): object {
  return Object.keys(ctx).length === 0 ? issue : { ...issue, ctx };
}

/** A refusal as models read it: with tools in the place of routes, and the call that helps. */
function forModels({ structuredContent, content }: CallToolResult, next: NextCall | null): CallToolResult {
  const { detail } = JSON.parse(inToolWords(JSON.stringify(structuredContent), WORDS)) as { detail: object };
  const follows = next !== null && JSON.stringify(next).length <= MOST_NEXT ? { next } : {};
  const [said] = content as readonly { readonly text: string }[];
  const lines = [inToolWords(said!.text, WORDS), ...Object.values(follows).map(one => `next: ${JSON.stringify(one)}`)];
  if (Array.isArray(detail)) return failed({ detail: detail.map(withoutEcho), ...follows }, ...lines);
  const { docs_url: _, ...own } = detail as { readonly docs_url?: unknown };
  return failed({ detail: { ...own, ...follows } }, ...lines);
}

/** The form of a tool that a body is meant for. */
export function formOf({ forms }: Tool, body: unknown): Form {
  const given = (typeof body === 'object' && body !== null ? body : {}) as { readonly operation?: unknown };
  const asks = ({ key, operation }: Form) =>
    (key !== undefined && Object.hasOwn(given, key)) || (operation !== undefined && given.operation === operation);
  return forms.find(asks) ?? forms.at(-1)!;
}

const validatorOf = (request: FastifyRequest, { schema, judged }: Pick<Form, 'schema' | 'judged'>) =>
  request.compileValidationSchema((judged ?? schema) as unknown as Record<string, unknown>);

/** The call with its body as it was probably meant; null where that would be refused too. */
function repairedCall(
  request: FastifyRequest,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  { issues }: ShapeError,
): NextCall | null {
  const name = PREFIX + tool.name;
  const aside = bodyAside(name, given);
  if (aside) return aside;
  const form = formOf(tool, given.req);
  const { operation } = (given.req ?? {}) as { readonly operation?: unknown };
  const body = form.judged ? withoutOperation(given.req) : given.req;
  const req = form.unjudged ? null : bodyRepair(body, form.judged ?? form.schema, issues);
  if (req === null || !validatorOf(request, form)(req)) return presetCall(name, given, issues);
  const named = form.operation === undefined ? req : { operation, ...req };
  return { tool: name, arguments: { ...given, req: named } };
}

/** Checks the body in the arguments. @throws ShapeError, or the form's own error. */
function judge(
  request: FastifyRequest,
  { schema, judged, unjudged, refused }: Form,
  given: Readonly<Record<string, unknown>>,
) {
  const extra = Object.keys(given).filter(key => key !== 'req' && !VIEW_KEYS.has(key));
  if (extra.length > 0) {
    const msg = 'Extra inputs are not permitted: the body goes into `req`, beside it only `view` and `max_tokens`';
    throw new ShapeError(
      extra
        .slice(0, MAX_NAMES)
        .map(key => ({ loc: ['body', key], msg, type: 'extra_forbidden', input: null, ctx: {} })),
    );
  }
  if (unjudged) return;
  const valid = validatorOf(request, { schema, judged });
  const body = judged ? withoutOperation(given.req) : given.req;
  if (body !== undefined && valid(body)) return;
  const issues = shapeIssues(valid.errors ?? [], body);
  throw refused?.(issues) ?? new ShapeError(issues);
}

/** The id of the receipt of an answer; null where the endpoint that answers the same gives none. */
const receiptOf = async (
  ctx: Ctx,
  services: AppServices,
  { route }: Form,
  body: unknown,
  answer: string | Uint8Array,
): Promise<string | null> =>
  route?.startsWith('POST ')
    ? issueReceipt(ctx, services, { path: route.slice('POST '.length), body, answer, isSent: false })
    : null;

/** Calls a tool, like the same request would call its HTTP operation. */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  {
    request,
    reply,
    content,
    services,
    signal,
    progress,
  }: Served & {
    readonly services: AppServices;
    /** Aborts when the client cancels this call. */
    readonly signal: AbortSignal;
    readonly progress: Progress;
  },
): Promise<CallToolResult> {
  const form = formOf(tool, given.req);
  const http = contextOf(request, reply, services, form.limitMs);
  const ctx = { ...http, signal: AbortSignal.any([http.signal, signal]) };
  let view: ViewTerms = DEFAULT_VIEW;
  try {
    view = readView(given);
    judge(request, form, given);
    await reply.enterRoom(form.answerBytes?.(given.req) ?? 0);
    const said: Said = await form.answer({ ctx, services, progress, headers: request.headers }, given.req);
    const { structured } = said;
    const written = Buffer.isBuffer(structured) ? structured : jsonOf(structured);
    if (typeof written !== 'string') freeWithResponse(written, reply.raw);
    // What headers say over HTTP.
    const release = ctx.release.source;
    const named = release === null ? {} : { release };
    const receipt = wantsReceipt(request.headers) ? await receiptOf(ctx, services, form, given.req, written) : null;
    const shown = {
      ...said,
      beside: { ...said.beside, ...named },
      written,
      shapes: form.shapes?.(given.req) ?? false,
      words: WORDS,
      origin: services.publicUrl,
    };
    const seen = await viewOf(ctx, shown, view);
    const bytes = typeof seen.bytes === 'string' ? sentOnce(Buffer.from(seen.bytes)) : seen.bytes;
    if (bytes !== written) freeWithResponse(bytes, reply.raw);
    reply.countAnswer(bytes.length);
    const meta = { ...priceOf(ctx.bill), ...named, ...(receipt === null ? {} : { receipt_id: receipt }) };
    return {
      content: [{ type: 'text', text: seen.text }],
      structuredContent: content.keep(bytes),
      ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
    };
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ShapeError) {
      const refused = refusal(error);
      if (view.isFull) return refused;
      const name = PREFIX + tool.name;
      const next =
        error instanceof ServiceError
          ? nextCall(name, given, error, {
              states: parcelStates(ctx.engine),
              lackingSets: holdingsOf(ctx.engine, services.proximity.routing).lackingSets,
            })
          : repairedCall(request, tool, given, error);
      return fittedRefusal(forModels(refused, next), view);
    }
    if (ctx.signal.aborted) return failed({}, 'The call was cancelled.');
    ctx.log.error({ err: error, tool: tool.name }, 'unhandled fault of a tool');
    return failed({}, 'Internal Server Error');
  }
}
