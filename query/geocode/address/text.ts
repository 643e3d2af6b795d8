/**
 * An address as words in capitals: diacritics and full stops dropped, hyphens and slashes kept inside numbers only,
 * commas, semicolons and line ends as `,`, crossing signs as `&`.
 */
export function capitals(address: string): string {
  return (
    address
      // 12½ is 12 1/2, not 121 and a slash.
      .replace(/(?<=\d)\s*(?=[\u00BC-\u00BE\u2150-\u215E])/g, ' ')
      .normalize('NFKD')
      .replace(/\u2044/g, '/')
      .replace(/\p{M}+/gu, '')
      .toUpperCase()
      // N.W. is one word; a point inside a number stays, which makes it no number.
      .replace(/\b([NS])\.\s?([EW])\.?(?=[\s,]|$)/g, '$1$2')
      .replace(/(?<!\d)\.|\.(?!\d)/g, ' ')
      .replace(/['’`´"]/g, '')
      .replace(/[;\n\r\t|]/g, ',')
      .replace(/(?<=[A-Z]) ?\/ ?(?=[A-Z\d])/g, ' & ')
      .replace(/[@]/g, ' AT ')
      .replace(/&+/g, ' & ')
      .replace(/#+\s*/g, ' #')
      .replace(/(?<=\d) *[-–—] *(?=\d)/g, '-')
      .replace(/(?<=\d)-(?=\d\/\d\b)/g, ' ')
      .replace(/(?<=\d)-(?=[A-Z]\b)/g, '')
      .replace(/(?<!\d)[-–—]|[-–—](?!\d)/g, ' ')
      .replace(/[^A-Z\d,#&/.\- ]/g, ' ')
      .replace(/\s*,[\s,]*/g, ', ')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^,\s*|,$/g, '')
      .trim()
  );
}
