import { fileURLToPath } from 'node:url';
import { Ajv, type ErrorObject } from 'ajv';
import { type TSchema, Type } from 'typebox';

/** The registry's own schema, beside the other published files: static.modelcontextprotocol.io/schemas/2025-12-11. */
export const PUBLISHED = fileURLToPath(new URL('../../../../shared/data/mcp/server.schema.json', import.meta.url));

const oneOf = (...texts: readonly string[]) => Type.Union(texts.map(text => Type.Literal(text)));

const INPUT = {
  description: Type.Optional(Type.String()),
  isRequired: Type.Optional(Type.Boolean()),
  isSecret: Type.Optional(Type.Boolean()),
  format: Type.Optional(oneOf('string', 'number', 'boolean', 'filepath')),
  value: Type.Optional(Type.String()),
  default: Type.Optional(Type.String()),
  placeholder: Type.Optional(Type.String()),
  choices: Type.Optional(Type.Array(Type.String())),
};
const Input = Type.Object(INPUT, { additionalProperties: false });
const Header = Type.Object(
  { name: Type.String(), ...INPUT, variables: Type.Optional(Type.Record(Type.String(), Input)) },
  { additionalProperties: false },
);

/**
 * The rules of the registry (schema of 2025-12-11, and what it checks when an entry is published) for a server at an address,
 * of which no package is published. Keys that the registry ignores are faults here: they would be slips.
 */
export const REGISTRY_ENTRY = Type.Object(
  {
    $schema: Type.Literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    name: Type.String({ minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    description: Type.String({ minLength: 1, maxLength: 100 }),
    // A range of versions is refused.
    version: Type.String({ maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?$' }),
    websiteUrl: Type.Optional(Type.String({ format: 'uri' })),
    repository: Type.Optional(
      Type.Object({
        url: Type.String({ format: 'uri' }),
        source: Type.String(),
        id: Type.Optional(Type.String()),
        subfolder: Type.Optional(Type.String()),
      }),
    ),
    remotes: Type.Array(
      Type.Object(
        {
          type: oneOf('streamable-http', 'sse'),
          url: Type.String({ format: 'uri-template', pattern: '^https://' }),
          variables: Type.Optional(Type.Record(Type.String(), Input)),
          headers: Type.Optional(Type.Array(Header)),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 1 },
    ),
  },
  { additionalProperties: false },
);

/** Formats of the schema: an address is read by the platform, that of a template once its variables have values (RFC 6570). */
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    uri: URL.canParse,
    'uri-template': text => URL.canParse(text.replace(/\{\w+\}/g, 'x')) && !/[{}]/.test(text.replace(/\{\w+\}/g, 'x')),
  },
});

/** The faults of a value by a JSON Schema, with its formats. */
export function faultsOf(schema: TSchema, value: unknown): readonly ErrorObject[] {
  const check = ajv.compile(schema);
  check(value);
  return check.errors ?? [];
}
