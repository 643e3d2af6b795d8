// The keys of a compose file (the Compose Specification, its schema compose-spec.json) that docs/deploy uses. Everything else is
// refused, as that schema refuses what it does not know.

const text = { type: 'string' };
const list = { type: 'array', items: text, minItems: 1 };
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const map = (of: object, more: object = {}) => ({ type: 'object', additionalProperties: of, ...more });
const duration = { ...text, pattern: '^(\\d+(us|ms|s|m|h))+$' };
const bytes = { ...text, pattern: '^\\d+(b|k|m|g|kb|mb|gb)$' };
const NAME = '^[a-zA-Z0-9._-]+$';

const service = object(
  {
    image: text,
    build: text,
    command: list,
    environment: map({ type: ['string', 'number', 'boolean', 'null'] }),
    ports: { ...list, items: { ...text, pattern: '^[\\d.]+:\\d+:\\d+$' } },
    volumes: { ...list, items: { ...text, pattern: '^[a-z]+:/[\\w/]+$' } },
    tmpfs: list,
    read_only: { type: 'boolean' },
    healthcheck: object({
      test: list,
      disable: { type: 'boolean' },
      interval: duration,
      retries: { type: 'integer', minimum: 1 },
    }),
    depends_on: map(
      object({ condition: { enum: ['service_started', 'service_healthy', 'service_completed_successfully'] } }, [
        'condition',
      ]),
    ),
    mem_limit: bytes,
    stop_grace_period: duration,
    restart: { enum: ['no', 'always', 'on-failure', 'unless-stopped'] },
  },
  ['image'],
);

/** Schema of a compose file. */
export const COMPOSE = object(
  {
    name: { ...text, pattern: '^[a-z0-9][a-z0-9_-]*$' },
    services: map(service, { propertyNames: { pattern: NAME } }),
    volumes: map({ type: 'null' }, { propertyNames: { pattern: NAME } }),
  },
  ['services'],
);
