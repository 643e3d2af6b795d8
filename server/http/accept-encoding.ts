/** Whether an Accept-Encoding takes a coding (RFC 9110, 12.5.3). */
function takes(coding: 'gzip' | 'br', header: string | undefined): boolean {
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map(word => word.trim());
    if (name === coding || name === '*') return !parameters.some(parameter => /^q=0(?:\.0{0,3})?$/.test(parameter));
  }
  return false;
}

export const takesGzip = (header: string | undefined): boolean => takes('gzip', header);
/** Whether it takes Brotli by name: who takes anything gets what all know. */
export const takesBrotli = (header: string | undefined): boolean => !/\*/.test(header ?? '') && takes('br', header);
