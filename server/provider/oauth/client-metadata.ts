import { type AllClientMetadata, errors } from 'oidc-provider';

/** Most characters of a client's name, which the page that asks for consent shows. */
const NAME_LENGTH = 64;
/** Most bytes of all that a client says of itself. */
const METADATA_BYTES = 8 * 1024;
/** Characters that are not seen, or that change what is seen of others: control, bidirectional, zero-width and their like. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** A host that a Content-Security-Policy can name, and a host in brackets (of IPv6). */
const HOST = /^(?:[a-z\d](?:[a-z\d._-]*[a-z\d.])?|\[[\da-f:.]+\])$/;
/** Characters of a URI (RFC 3986, 2). */
const URI = /^[\w!#$%&'()*+,./:;=?@[\]~-]+$/;

const invalid = (why: string) => new errors.InvalidClientMetadata(why);

function checkName(name: unknown): void {
  if (name === undefined) return;
  if (typeof name !== 'string' || name.trim() === '') throw invalid('client_name must be a text, or be absent');
  if ([...name].length > NAME_LENGTH) throw invalid(`client_name must have at most ${NAME_LENGTH} characters`);
  if (UNSEEN.test(name)) throw invalid('client_name must not hold characters that are not seen');
}

/** Whether a browser may be sent back to an address: its host is seen as it is, and the address holds no user. */
function isPlain(text: unknown): boolean {
  const url = typeof text === 'string' && URI.test(text) ? URL.parse(text) : null;
  if (url === null || `${url.username}${url.password}` !== '') return false;
  // What no browser takes for a user, a person may.
  if (/^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i.test(text as string)) return false;
  return url.host === '' || !/^https?:$/.test(url.protocol) || HOST.test(url.hostname);
}

/**
 * Checks what a client says of itself, in its registration or its document.
 * @throws InvalidClientMetadata with the code of RFC 7591.
 */
export function checkClientMetadata(metadata: Partial<AllClientMetadata>): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES)
    throw invalid(`client metadata must have at most ${METADATA_BYTES} bytes`);
  checkName(metadata.client_name);
  for (const list of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
    const addresses: unknown = metadata[list];
    if (Array.isArray(addresses) && !addresses.every(isPlain))
      throw invalid(`${list} must hold no user, and only characters of a URI and of a host name`);
  }
  const types: unknown = metadata.response_types;
  // Any other client could never be allowed anything.
  if (Array.isArray(types) && !types.includes('code')) throw invalid('response_types must contain "code"');
}
