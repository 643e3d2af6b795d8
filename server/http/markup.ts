/** Markup whose values were escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (value: unknown): string =>
  value instanceof Markup
    ? value.text
    : Array.isArray(value)
      ? value.map(escaped).join('')
      : String(value ?? '').replace(/[&<>"']/g, character => ENTITIES[character]!);

/** HTML with every value escaped that is not markup itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  new Markup(String.raw({ raw: parts }, ...values.map(escaped)));
