// The objects of the Kubernetes API that docs/deploy uses, with the keys of its reference (batch/v1, v1) that are of use there.
// Everything else is refused, as the API server refuses it with strict field validation.

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 0 };
const bool = { type: 'boolean' };
const named = { ...text, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 };
const quantity = { ...text, pattern: '^\\d+(\\.\\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$' };

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items, minItems: 1 });
const map = (of: object) => ({ type: 'object', additionalProperties: of });

const metadata = object({ name: named, labels: map(text), annotations: map(text) }, ['name']);
const amounts = object({ cpu: quantity, memory: quantity, 'ephemeral-storage': quantity });

const container = object(
  {
    name: named,
    image: text,
    command: list(text),
    args: list(text),
    env: list(object({ name: text, value: text }, ['name', 'value'])),
    envFrom: list(object({ secretRef: object({ name: named }, ['name']) })),
    resources: object({ requests: amounts, limits: amounts }),
    securityContext: object({
      allowPrivilegeEscalation: bool,
      readOnlyRootFilesystem: bool,
      capabilities: object({ add: list(text), drop: list(text) }),
    }),
    volumeMounts: list(object({ name: named, mountPath: text, readOnly: bool }, ['name', 'mountPath'])),
  },
  ['name', 'image'],
);

const pod = object(
  {
    restartPolicy: { enum: ['OnFailure', 'Never'] },
    terminationGracePeriodSeconds: whole,
    securityContext: object({ runAsNonRoot: bool, runAsUser: whole, runAsGroup: whole, fsGroup: whole }),
    containers: list(container),
    volumes: list(object({ name: named, emptyDir: object({ sizeLimit: quantity, medium: text }) }, ['name'])),
  },
  ['restartPolicy', 'containers'],
);

/** Schemas by kind. */
export const KINDS = {
  Secret: object(
    { apiVersion: { const: 'v1' }, kind: { const: 'Secret' }, metadata, type: text, stringData: map(text) },
    ['apiVersion', 'kind', 'metadata'],
  ),
  Job: object(
    {
      apiVersion: { const: 'batch/v1' },
      kind: { const: 'Job' },
      metadata,
      spec: object(
        {
          parallelism: whole,
          completions: whole,
          completionMode: { enum: ['Indexed', 'NonIndexed'] },
          backoffLimit: whole,
          activeDeadlineSeconds: whole,
          ttlSecondsAfterFinished: whole,
          template: object({ metadata: object({ labels: map(text) }), spec: pod }, ['spec']),
        },
        ['template'],
      ),
    },
    ['apiVersion', 'kind', 'metadata', 'spec'],
  ),
};
