import AjvCompiler from '@fastify/ajv-compiler';

type Compile = ReturnType<ReturnType<typeof AjvCompiler>>;

/** Fastify's own compiler. It converts no value to another type, and adds or removes no key. */
const compile = AjvCompiler()(
  {},
  {
    customOptions: {
      coerceTypes: false,
      useDefaults: false,
      removeAdditional: false,
      allErrors: true,
      allowUnionTypes: true,
      verbose: true,
    },
  },
);
const validators = new Map<string, ReturnType<Compile>>();

interface RouteSchema {
  readonly schema: unknown;
  readonly httpPart?: string;
}

/**
 * Makes the validator of a request schema. Each schema is compiled once in a process; this makes the hundreds of
 * applications that tests build ready in a quarter of the time.
 * @param route whose `schema` refers to no other schema and has no `$id`. Names of headers may be in any case.
 * @throws Error of Ajv when the schema is not valid or refers to another one.
 */
export function requestValidator({ schema, httpPart }: RouteSchema): ReturnType<Compile> {
  const caseless = httpPart === 'headers' ? withLowerCaseNames(schema as HeadersSchema) : schema;
  const text = JSON.stringify(caseless);
  const cached = validators.get(text);
  if (cached) return cached;
  const validator = compile({ schema: caseless } as never);
  validators.set(text, validator);
  return validator;
}

interface HeadersSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Node gives header names in lower case. Fastify lowers those of a schema only when it uses its own compiler. */
function withLowerCaseNames({ properties = {}, required = [], ...rest }: HeadersSchema): HeadersSchema {
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name.toLowerCase(), schema])),
    ...(required.length > 0 ? { required: required.map(name => name.toLowerCase()) } : {}),
  };
}
