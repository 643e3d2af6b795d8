/**
 * The first URL of a text that begins with one, up to the folder before its first placeholder. Nothing is made up: it is
 * a prefix of the text, or null.
 */
export function citableUrl(text: string): string | null {
  const first = /^\w+:\/\/\S+/.exec(text)?.[0].replace(/[,;]$/, '') ?? '';
  const placeholder = first.search(/[{}<>]/);
  const url = placeholder < 0 ? first : first.slice(0, first.lastIndexOf('/', placeholder) + 1);
  return URL.parse(url)?.host ? url : null;
}
