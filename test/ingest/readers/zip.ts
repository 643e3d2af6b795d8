import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

/** A zip archive of texts and bytes by name. */
export async function zipOf(members: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(members)) zip.addBuffer(Buffer.from(content as Uint8Array), name);
  zip.end();
  return buffer(zip.outputStream as never);
}

/** The archive with one byte of its first member's data changed. */
export function damaged(zip: Buffer): Buffer {
  const copy = Buffer.from(zip);
  const data = 30 + copy.readUInt16LE(26) + copy.readUInt16LE(28);
  copy[data + 4]! ^= 0xff;
  return copy;
}
