import { operationPath } from './operation-text.ts';

/** The parts of an OpenAPI document that the overview uses. */
export interface Overviewed {
  readonly info: { readonly title: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, object | undefined>>;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
}

/**
 * Describes the service on one page for language models: Markdown as https://llmstxt.org defines it, with every
 * operation of the API description under the title of its tag, linked to a short page of its own.
 */
export function llmsText({ info, tags = [], paths = {} }: Overviewed): string {
  const [summary = '', ...details] = (info.description ?? '').split('\n\n');
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );
  const sections = tags.map(({ name: tag, description }) => {
    const lines = operations
      .filter(operation => operation.tags?.includes(tag))
      .map(({ name, operationId, summary }) => `- [${name}](${operationPath(operationId!)}): ${summary}`);
    return [`## ${tag}`, ...(description ? [description] : []), lines.join('\n')].join('\n\n');
  });
  return [
    `# ${info.title}`,
    `> ${summary}`,
    ...details,
    'Send `Authorization: Bearer TOKEN` and JSON. Coordinates are `lat` and `lng` in degrees. A value comes with `status` (`ok`, `absent` with the reason, `failed`), source and vintage; what is absent or failed is neither zero nor false. Most errors are `{"detail": {"error", "message", "retryable"}}`; a body of the wrong shape is `{"detail": [{"loc", "msg", "type"}]}`, and a search, field request or proximity request is told what is wrong with it in `detail.issues` or `detail.errors`. Search, enrichment, questions about sets of parcels, OGC API, tiles, suggestions and all below `/v1/meta` are free; other answers say their price in `X-Service-Credits`.',
    '## Start here',
    [
      '- [Documentation](/docs): concepts, guides, a page for each field, with search',
      '- [API description](/v1/openapi.json): every operation with its schemas, errors and examples, OpenAPI 3.1',
      '- [Fields](/v1/meta/fields): what can be asked, with units, meaning and what this release has of each',
      '- [Scorecard](/v1/meta/scorecard): by field and county how many values were checked, right and wrong',
      '- [Quantiles](/v1/meta/quantiles): how numeric values are spread over the parcels of a county, a state and the release',
      '- [Coverage](/v1/meta/coverage): which counties and layers are installed, from whom, how old',
      '- [MCP](/mcp): the same operations as tools (Model Context Protocol, streamable HTTP, OAuth or a token)',
    ].join('\n'),
    ...sections,
    '',
  ].join('\n\n');
}
