/** Whether an Accept-Encoding takes gzip (RFC 9110, 12.5.3). */
export function takesGzip(header: string | undefined): boolean {
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map(word => word.trim());
    if (name === 'gzip' || name === '*') return !parameters.some(parameter => /^q=0(?:\.0{0,3})?$/.test(parameter));
  }
  return false;
}
