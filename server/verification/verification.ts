import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { digestOf } from '../receipts/content.ts';
import { isSigned, type Receipt } from '../receipts/document.ts';
import { type PublishedKey, publicKeyOf } from '../receipts/keys.ts';
import { type Difference, differencesFrom } from './differences.ts';
import { PrivateServer } from './private-server.ts';

/** One thing that was checked. */
export interface Check {
  readonly what: 'signature' | 'request' | 'answer' | 'release' | 'files' | 'engine' | 'recomputation';
  /** Null: it could not be checked. */
  readonly right: boolean | null;
  /** A sentence. */
  readonly says: string;
}

/** What came of a receipt. */
export interface Verification {
  readonly checks: readonly Check[];
  /** Where the answer is another one when it is computed again. */
  readonly differences: readonly Difference[];
}

/** What somebody has beside the receipt. */
export interface VerificationTerms {
  /** PLAT_HOME, where the release is looked for. */
  readonly home: string;
  /** Version of this program. */
  readonly version: string;
  /** Null where nobody has them. */
  readonly keys: readonly PublishedKey[] | null;
  /** Bytes of the answer that the receipt is of, and of the body that was sent; null where nobody has them. */
  readonly answer: Buffer | null;
  readonly body: Buffer | null;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function signatureOf(receipt: Receipt, keys: readonly PublishedKey[] | null): Check {
  const check = (right: boolean | null, says: string): Check => ({ what: 'signature', right, says });
  const { key_id: id, created_at: at } = receipt;
  if (!keys) return check(null, 'The signature was not checked: --keys names the file of the public keys.');
  const key = keys.find(({ kid }) => kid === id);
  if (!key) return check(false, `No key ${id} is among the public keys.`);
  if (!isSigned(receipt, publicKeyOf(key)))
    return check(false, 'The signature is not of this receipt: it was altered.');
  if (at < key.signs_from || (key.signed_until !== null && at > key.signed_until))
    return check(false, `The key ${id} signed from ${key.signs_from} until ${key.signed_until}, and not at ${at}.`);
  return check(true, `Signed at ${at} by the key ${id}.`);
}

/** The body that was sent: of the receipt, or of a file. */
function bodyOf({ request }: Receipt, given: Buffer | null): { readonly check: Check; readonly body: unknown } {
  const check = (right: boolean | null, says: string): Check => ({ what: 'request', right, says });
  const body: unknown = given ? JSON.parse(given.toString('utf8')) : request.body;
  if (body === null)
    return { check: check(null, 'The body was too long for the receipt: --request names its file.'), body };
  const right = digestOf(body) === request.sha256;
  return { check: check(right, right ? `POST ${request.path}.` : 'The body is not the one of the receipt.'), body };
}

function answerOf({ answer }: Receipt, given: Buffer | null): Check {
  const check = (right: boolean | null, says: string): Check => ({ what: 'answer', right, says });
  if (!given) return check(null, 'No answer was given to hold against the receipt: --answer names its file.');
  if (answer.sha256 !== null && sha256(given) === answer.sha256)
    return check(true, 'The answer is the one of the receipt, byte by byte.');
  const same = differencesFrom(answer, JSON.parse(given.toString('utf8'))).length === 0;
  return check(same, same ? 'The answer has the content of the receipt.' : 'The answer is not the one of the receipt.');
}

/** The digest of a file of a release; null where it is not there. */
async function fileDigest(releases: string, path: string): Promise<string | null> {
  const full = resolve(releases, path);
  if (!full.startsWith(resolve(releases) + sep) || !existsSync(full)) return null;
  const hash = createHash('sha256');
  await pipeline(createReadStream(full), hash);
  return hash.digest('hex');
}

async function filesOf(receipt: Receipt, releases: string): Promise<Check> {
  const files = receipt.release.layers.flatMap(layer => layer.files);
  const wrong: string[] = [];
  for (const { path, sha256: expected } of files) {
    const digest = await fileDigest(releases, path);
    if (digest !== expected) wrong.push(`${path} ${digest === null ? 'is missing' : 'has another content'}`);
  }
  if (files.length === 0) return { what: 'files', right: true, says: 'The receipt names no file.' };
  const says =
    wrong.length === 0
      ? `All ${files.length} files that the receipt names have its hashes.`
      : `${wrong.length} of ${files.length} files do not: ${wrong.slice(0, 5).join('; ')}.`;
  return { what: 'files', right: wrong.length === 0, says };
}

/** What cannot be computed from a release alone; null where all can. */
function beyondRelease(path: string, body: unknown): string | null {
  const { cursor, site_id: site, upload_id: upload } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (cursor !== undefined) return 'the page goes on from a cursor, which only its service reads';
  if (site !== undefined) return 'the site is registered with its service';
  if (upload !== undefined) return 'the upload is kept by its service';
  if (path === '/v1/search/tiles') return 'the address of a map is made by chance';
  return null;
}

/** What came of computing an answer again. */
interface Recomputation {
  readonly check: Check;
  readonly differences: readonly Difference[];
}

/**
 * Asks a server of the receipt's release the same question again, and compares.
 * @param given bytes of the answer that the receipt is of; null where nobody has them.
 */
export async function recompute(
  server: PrivateServer,
  receipt: Receipt,
  body: unknown,
  given: Buffer | null,
): Promise<Recomputation> {
  const tell = (right: boolean | null, says: string, differences: readonly Difference[] = []): Recomputation => ({
    check: { what: 'recomputation', right, says },
    differences,
  });
  const { path } = receipt.request;
  const { count = 0, entries = [] } = receipt.release.corrections ?? {};
  if (count > entries.length)
    return tell(null, `The answer was not computed again: the receipt has ${entries.length} of ${count} corrections.`);
  const beyond = beyondRelease(path, body);
  if (beyond !== null) return tell(null, `The answer was not computed again: ${beyond}.`);
  // The release of the receipt is the only one of the server, whatever it was called.
  const { release: _, ...question } = body as Readonly<Record<string, unknown>>;
  const again = await server.post(path, question);
  if (again.status !== 200) {
    const { detail } = (again.body ?? {}) as {
      readonly detail?: { readonly error?: string; readonly message?: string };
    };
    return tell(false, `The same question is refused here: ${detail?.error ?? again.status}: ${detail?.message ?? ''}`);
  }
  const was = given === null ? undefined : (JSON.parse(given.toString('utf8')) as unknown);
  const differences = differencesFrom(receipt.answer, again.body, was);
  if (differences.length === 0) return tell(true, 'Computed again from the release, the answer is equal.');
  const places = differences.length === 1 ? 'one place' : `${differences.length} places`;
  return tell(false, `Computed again from the release, the answer differs in ${places}.`, differences);
}

/** Holds a receipt against its keys, its answer and its release, and computes the answer again. Asks nobody. */
export async function verifyReceipt(receipt: Receipt, terms: VerificationTerms): Promise<Verification> {
  const { home, version } = terms;
  const { id, manifest_sha256: expected } = receipt.release;
  const releases = join(home, 'releases');
  const { check: request, body } = bodyOf(receipt, terms.body);
  const checks: Check[] = [signatureOf(receipt, terms.keys), request, answerOf(receipt, terms.answer)];
  const { engine } = receipt;
  const same = engine.version === version;
  checks.push({
    what: 'engine',
    right: same ? true : null,
    says: same
      ? `Plat ${version}, as then.`
      : `It was answered by Plat ${engine.version}, and this is ${version}: a difference may come from that.`,
  });
  const manifest = resolve(releases, `${id}.json`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id) || !existsSync(manifest)) {
    const says = `${releases} does not hold release ${id}: \`plat release list\` shows those there are.`;
    return { checks: [...checks, { what: 'release', right: null, says }], differences: [] };
  }
  const right = sha256(readFileSync(manifest)) === expected;
  const says = right
    ? `Release ${id} is the one of the receipt: its manifest has every hash.`
    : `Release ${id} here has another manifest than the one of the receipt.`;
  checks.push({ what: 'release', right, says }, await filesOf(receipt, releases));
  if (request.right !== true) return { checks, differences: [] };
  await using server = await PrivateServer.start(home, id, receipt.release.corrections?.entries);
  const { check, differences } = await recompute(server, receipt, body, terms.answer);
  return { checks: [...checks, check], differences };
}
