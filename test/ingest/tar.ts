/** A tar archive of texts by name. */
export function tarOf(members: Readonly<Record<string, string>>): Buffer {
  const files = Object.entries(members).map(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(' '.repeat(8), 148);
    header.write('0ustar\0', 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return Buffer.concat([header, Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)]);
  });
  return Buffer.concat([...files, Buffer.alloc(1024)]);
}
