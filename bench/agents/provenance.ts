/** Words and numbers that everybody knows who reads a schema. */
const KNOWN: ReadonlySet<unknown> = new Set([true, false, null]);

/** Keys whose text a model writes in words of its own: it is judged word by word. */
const WORDS = 'query';

/** The leaves of a value and the keys above them. */
function* leaves(value: unknown, above = ''): Generator<{ readonly kind: 'key' | 'value'; readonly leaf: unknown }> {
  if (typeof value !== 'object' || value === null) {
    const parts = above === WORDS ? (String(value).match(/[\w']{3,}/g) ?? []) : [value];
    for (const leaf of parts) yield { kind: 'value', leaf };
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { kind: 'key', leaf: key };
    yield* leaves(inner, Array.isArray(value) ? above : key);
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Search of a text for a leaf, as a word or a number of its own and not as a part of one. */
function has(text: string, leaf: unknown): boolean {
  const word = escaped(typeof leaf === 'string' ? JSON.stringify(leaf).slice(1, -1) : String(leaf));
  return new RegExp(`(?<![\\w.])${word}(?!\\w|\\.\\d)`, 'i').test(text);
}

/** Knowledge of an agent: the text of its task, the list of tools and the answers it got. */
export class Knowledge {
  #text: string;

  constructor(task: string, tools: unknown) {
    // Numbers of texts have commas: 1,609 m.
    this.#text = `${task}\n${task.replace(/(?<=\d),(?=\d{3})/g, '')}\n${JSON.stringify(tools)}`;
  }

  learn(answer: unknown): void {
    this.#text += `\n${JSON.stringify(answer)}`;
  }

  /** The parts of arguments that the agent cannot know. */
  unknownIn(given: object): string[] {
    const unknown: string[] = [];
    for (const { kind, leaf } of leaves(given))
      if (!KNOWN.has(leaf) && !has(this.#text, leaf)) unknown.push(`${kind} ${JSON.stringify(leaf)}`);
    return unknown;
  }
}
