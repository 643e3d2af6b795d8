import { type Schema, unique } from './schema-type.ts';

/** The parts of an OpenAPI 3.1 document that clients are made of. */
export interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly in: 'path' | 'query' | 'header';
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

export interface Media {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The answer of an operation by media type: its JSON where it has several formats, for clients ask for no other. */
export const answersByType = ({ responses }: Operation): (readonly [type: string, Media])[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]): (readonly [string, Media])[] => {
      const json = content['application/json'];
      return json ? [['application/json', json]] : Object.entries(content);
    });

/** The codes that the examples of an operation's refusals show. */
export function codesOf({ responses }: Operation): string[] {
  const text = JSON.stringify(Object.entries(responses).filter(([status]) => !status.startsWith('2')));
  return unique([...text.matchAll(/"error":"(\w+)"/g)].map(([, code]) => code!)).sort();
}
