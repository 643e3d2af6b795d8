/** A JSON Schema as an API description holds it, as far as the page shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface DescribedParameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}

/** An OpenAPI document, as far as the page shows it. */
export interface DescribedApi {
  readonly info: { readonly title: string; readonly description?: string; readonly version?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation with the method and path that it is called by. */
export interface Call extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

/** Every operation of a description, in its order. */
export const callsOf = ({ paths }: DescribedApi): Call[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  );

/** The status that an operation answers when all is well; the highest of several, which something new is answered with. */
export const successOf = ({ responses }: DescribedOperation): string =>
  Object.keys(responses)
    .filter(status => status.startsWith('2'))
    .sort()
    .at(-1)!;

/** The body's media type and schema; null where none is sent. */
export function bodyOf({ requestBody }: DescribedOperation): (Media & { readonly type: string }) | null {
  const [first] = Object.entries(requestBody?.content ?? {});
  return first ? { type: first[0], ...first[1] } : null;
}
