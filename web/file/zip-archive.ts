import { FileProblem } from './ground.ts';

/** Where the directory of an archive is found: at its end, behind at most a comment of 64 kB. */
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LONGEST_END = 22 + 65_535;
/** Bytes of a member once it is unpacked: a file of a few kilobytes may grow to fill the memory. */
const MOST_BYTES = 100_000_000;

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MOST_BYTES) throw new FileProblem('What is packed in it is larger than 100 MB.');
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The members of a zip archive by their names. @throws FileProblem where it is damaged or packed in another way. */
export async function membersOf(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const damaged = new FileProblem('The archive is damaged, or was cut off.');
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - LONGEST_END && view.getUint32(end, true) !== END) end--;
  if (end < 0 || view.getUint32(end, true) !== END) throw damaged;
  const members = new Map<string, Uint8Array<ArrayBuffer>>();
  let at = view.getUint32(end + 16, true);
  try {
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== ENTRY) throw damaged;
      const [method, packed] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
      const [name, extra, comment] = [28, 30, 32].map(offset => view.getUint16(at + offset, true)) as [
        number,
        number,
        number,
      ];
      const local = view.getUint32(at + 42, true);
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const text = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
      at += 46 + name + extra + comment;
      if (text.endsWith('/')) continue;
      if (start + packed > bytes.length) throw damaged;
      const content = bytes.slice(start, start + packed);
      if (method !== 0 && method !== 8)
        throw new FileProblem('It is packed in a way that browsers do not unpack. Pack it as an ordinary zip.');
      members.set(text, method === 0 ? content : await inflated(content));
    }
  } catch (error) {
    throw error instanceof FileProblem ? error : damaged;
  }
  return members;
}
