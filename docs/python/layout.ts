/** The width of a line, as black (https://black.readthedocs.io) lays Python out. */
const WIDTH = 88;

/**
 * A list in brackets: on one line where it fits, else an item a line with a comma behind the last, which black leaves as it is.
 * @param indent spaces before `open`; only lines after the first get theirs.
 * @param behind letters that follow on the last line.
 */
export function listed(open: string, items: readonly string[], close: string, indent: number, behind = 0): string {
  const flat = `${open}${items.join(', ')}${close}`;
  if (!flat.includes('\n') && indent + flat.length + behind <= WIDTH) return flat;
  const inside = ' '.repeat(indent + 4);
  return [open, ...items.map(item => `${inside}${item},`), `${' '.repeat(indent)}${close}`].join('\n');
}

/** Words in lines that fit. @param first spaces before the first line, @param rest before the others. */
function wrapped(text: string, first: number, rest: number): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = ' '.repeat(rest);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return isEmpty ? lines : [...lines, line];
}

/** Text as it may stand in a docstring. */
const plain = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The docstring of a method in Google's style. @param remarks of its arguments. */
export function docstring(
  summary: string,
  description: string | undefined,
  remarks: readonly (readonly [name: string, text: string])[],
  indent: number,
): string {
  const at = ' '.repeat(indent);
  const lines = wrapped(sentence(plain(summary)), indent + 3, indent)
    .join('\n')
    .trimStart();
  const paragraphs = (description ?? '').split(/\n\s*\n/).filter(text => text.trim() !== '');
  const more = paragraphs.flatMap(text => ['', ...wrapped(plain(text), indent, indent)]);
  const args =
    remarks.length === 0
      ? []
      : [
          '',
          `${at}Args:`,
          ...remarks.flatMap(([name, text]) => wrapped(`${name}: ${plain(text)}`, indent + 4, indent + 8)),
        ];
  if (more.length + args.length === 0 && !lines.endsWith('"')) return `${at}"""${lines}"""`;
  return [`${at}"""${lines}`, ...more, ...args, `${at}"""`].join('\n');
}

/** A comment of one or more lines, with its line end. */
export const remark = (text: string, indent: number): string =>
  wrapped(text, indent, indent)
    .map(line => `${' '.repeat(indent)}# ${line.trimStart()}`)
    .flatMap(line => (line.length <= WIDTH ? [line] : remarkSplit(line, indent)))
    .map(line => `${line}\n`)
    .join('');

/** A line that the sign of a comment made too long, as two. */
function remarkSplit(line: string, indent: number): string[] {
  const cut = line.lastIndexOf(' ', WIDTH);
  return cut <= indent + 1 ? [line] : [line.slice(0, cut), `${' '.repeat(indent)}# ${line.slice(cut + 1)}`];
}

/** A type of one of several texts. */
export const literal = (values: readonly string[], indent = 0, behind = 0): string =>
  listed(
    'Literal[',
    values.map(value => JSON.stringify(value)),
    ']',
    indent,
    behind,
  );
