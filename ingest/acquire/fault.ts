/** Why a published file could not be taken. */
type AcquireFaultKind =
  /** The publisher says that there is none such, or that it may not be had. Trying again is of no use. */
  | 'gone'
  | 'forbidden'
  /** It could not be reached, or broke off every time. */
  | 'unreachable'
  /** It answered, but not with what was asked for: a page instead of an archive, another length, pages that repeat. */
  | 'wrong_content'
  /** It changed while it was read, every time. */
  | 'unstable'
  | 'disk_full';

/** A published file that could not be taken; what is held of it stays. */
export class AcquireError extends Error {
  override readonly name = 'AcquireError';
  readonly kind: AcquireFaultKind;
  readonly url: string;
  constructor(kind: AcquireFaultKind, url: string, message: string) {
    super(`${url}: ${message}`);
    this.kind = kind;
    this.url = url;
  }
}
