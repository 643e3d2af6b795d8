/** Why a published file could not be downloaded. */
type AcquireFaultKind =
  /** The publisher says that the file does not exist or is not available. Trying again does not help. */
  | 'gone'
  | 'forbidden'
  /** The publisher could not be reached, or the connection broke every time. */
  | 'unreachable'
  /** The answer was not the file: a page instead of an archive, another length, pages that repeat rows. */
  | 'wrong_content'
  /** The file changed every time while it was read. */
  | 'unstable'
  | 'disk_full';

/** A published file could not be downloaded. The file held before stays. */
export class AcquireError extends Error {
  override readonly name = 'AcquireError';
  readonly kind: AcquireFaultKind;
  readonly url: string;
  /** Of the answer, where one with a status of HTTP is the fault. */
  readonly status: number | null;
  constructor(kind: AcquireFaultKind, url: string, message: string, status: number | null = null, cause?: unknown) {
    super(`${url}: ${message}`, { cause });
    this.kind = kind;
    this.url = url;
    this.status = status;
  }
}

/** Whether an error is a fault of name lookup, of the connection or of an incomplete or damaged answer, which may pass. */
export function isOfConnection(error: unknown): boolean {
  const { code = '', name = '' } = (error ?? {}) as { code?: string; name?: string };
  return (
    /^(UND_ERR_(?!INVALID|ABORTED|DESTROYED|CLOSED)|Z_(?!MEM)|ERR__?Z|ERR_BROTLI|ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ERR_STREAM_PREMATURE_CLOSE|HPE_)/.test(
      code,
    ) ||
    name === 'SocketError' ||
    name === 'BodyTimeoutError'
  );
}
