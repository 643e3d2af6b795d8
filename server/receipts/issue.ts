import { createHash, randomBytes } from 'node:crypto';
import { EngineBusy } from '../../query/engine/engine-interface.ts';
import { TaskFailed } from '../../query/engine/failure.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { canonicalJson } from '../idempotency/canonical-json.ts';
import { VERSION } from '../version.ts';
import { digestOf } from './content.ts';
import type { Receipt } from './document.ts';
import type { ReceiptKeys } from './keys.ts';
import { type AnswerText, READ_ANSWER, readAnswer } from './reading.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Characters of a body up to which a receipt holds it. */
const MOST_BODY = 32_768;
/** Characters of an answer that the serving thread reads itself: that takes less than to hand it to another. */
const SHORT = 32_768;
/** Milliseconds that a receipt may take, once the answer is there. */
const RECEIPT_MS = 20_000;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const newId = (): string => `rcpt_${[...randomBytes(26)].map(byte => LETTERS[byte & 31]).join('')}`;

/** What receipts are made with. */
export interface ReceiptServices {
  readonly receiptKeys: ReceiptKeys;
  /** The address of the service, without a slash at its end. */
  readonly publicUrl: string;
}

/** An answer that somebody wants a receipt of. */
export interface Answered {
  /** Path of the endpoint that gives it. */
  readonly path: string;
  /** As parsed. */
  readonly body: unknown;
  /** JSON text; bytes are UTF-8. */
  readonly answer: string | Uint8Array;
  /** Whether the answer was sent in these bytes. */
  readonly isSent: boolean;
}

/** What a receipt is made from: who asked, what was read, and what reads it again. */
type ReceiptCtx = Pick<Ctx, 'account' | 'release' | 'engine' | 'catalog' | 'language' | 'clock' | 'state' | 'log'>;

/**
 * Makes, signs and stores the receipt of an answer.
 * @returns its id; null where none can be made now: an answer that was charged is given all the same.
 */
export async function issueReceipt(
  ctx: ReceiptCtx,
  { receiptKeys, publicUrl }: ReceiptServices,
  { path, body, answer, isSent }: Answered,
): Promise<string | null> {
  const { account, catalog, clock } = ctx;
  const { source } = ctx.release;
  if (account === null || source === null) return null;
  const now = clock.now();
  const signal = AbortSignal.timeout(RECEIPT_MS);
  const terms = { account: account.id, signal, release: source, deadline: now + RECEIPT_MS };
  try {
    const question = JSON.stringify(body ?? null);
    const text: AnswerText = { answer, body: question };
    const isShort = answer.length + question.length <= SHORT;
    const reading = isShort ? readAnswer(catalog, text) : await ctx.language.have(READ_ANSWER, text, terms);
    const { digest, names, sources, points } = reading;
    const { release: id, ...evidence } = await ctx.engine.evidence({ names, sources, points }, terms);
    const plain: unknown = JSON.parse(question);
    const receipt: Receipt = await receiptKeys.sign({
      receipt_id: newId(),
      created_at: new Date(now).toISOString(),
      service: publicUrl,
      request: { method: 'POST', path, body: question.length <= MOST_BODY ? plain : null, sha256: digestOf(plain) },
      answer: {
        bytes: isSent ? Buffer.byteLength(answer) : null,
        sha256: isSent ? createHash('sha256').update(answer).digest('hex') : null,
        ...digest,
      },
      release: { id, ...evidence },
      engine: { name: 'plat', version: VERSION },
    });
    const document = canonicalJson(receipt);
    const { receipt_id } = receipt;
    await ctx.state.receipts.add({
      id: receipt_id,
      accountId: account.id,
      document,
      createdAt: now,
      expiresAt: now + KEPT_MS,
    });
    return receipt_id;
  } catch (error) {
    // Outages, overload and a release that is gone are no faults of receipts.
    const isRefusal = [ServiceError, TaskFailed, EngineBusy].some(kind => error instanceof kind) || signal.aborted;
    if (!isRefusal) ctx.log.error({ err: error }, 'an answer was given without its receipt');
    return null;
  }
}
