import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { namesText, nearestNames } from '../../query/format/name/nearest-names.ts';
import { plainLine, visibleText } from '../../query/format/plain-text.ts';
import type { AppServices } from '../app-services.ts';
import { contextOf } from '../http/context.ts';
import { VERSION } from '../version.ts';
import { callTool } from './calling.ts';
import type { Cancellation } from './cancellation.ts';
import type { Served } from './content.ts';
import { type Holdings, holdingsOf } from './holdings.ts';
import { listTools } from './listing.ts';
import { TOOLS } from './registry.ts';
import { type Resource, variableOf } from './resource.ts';
import { answerMapResource } from './resources/answer-map.ts';
import { catalogResource } from './resources/catalog.ts';
import { fieldResource } from './resources/field.ts';
import { termsResource } from './resources/terms.ts';
import { PREFIX, type Progress } from './tool.ts';

const READ_LIMIT_MS = 5_000;

/** Most times that one call tells its progress. */
const MOST_TOLD = 1_000;

const INSTRUCTIONS =
  "Cited answers about places in the United States from public data. Find field names with service_catalog, then: service_search for parcels that pass filters, service_fetch for values at a place, service_enrich for all of one parcel, service_ask for a question in plain language. Every value has a source: cite it. absent is an answer with a reason; failed is not a negative finding. A value's source is a number of sources. An answer that was cut goes on by next. release (an id or a day) answers from an earlier release. Coordinates are WGS84.";

/** @returns a function that makes the server object of one request. */
export function serverMaker(services: AppServices, cancellation: Cancellation): (served: Served) => Server {
  const lists = new WeakMap<Holdings, ReturnType<typeof listTools>>();
  const listed = () => {
    const holdings = holdingsOf(services.engine, services.proximity.routing);
    const list = lists.get(holdings) ?? listTools(TOOLS, services.catalog, holdings, map?.uri ?? null);
    lists.set(holdings, list);
    return list;
  };
  const byName = new Map(TOOLS.map(tool => [PREFIX + tool.name, tool]));
  const map = answerMapResource();
  const resources: readonly Resource[] = [
    ...[catalogResource, fieldResource, termsResource(services.terms)],
    ...(map ? [map] : []),
  ];
  const fixed = resources.filter(({ uri }) => !uri.includes('{'));
  const templates = resources.filter(({ uri }) => uri.includes('{'));
  const shown = ({ name, title, description, mimeType }: Resource) => ({ name, title, description, mimeType });
  return served => {
    const { request, reply, session } = served;
    const server = new Server(
      { name: 'plat', title: 'Plat', version: VERSION },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listed() }));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const tool = byName.get(params.name);
      if (!tool) {
        const nearest = nearestNames(params.name, byName.keys());
        const advice = nearest.length > 0 ? `; nearest: ${namesText(nearest)}` : '';
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool ${plainLine(params.name.slice(0, 64))}${advice}`,
        );
      }
      const token = mcpReq._meta?.progressToken;
      let told = 0;
      const progress: Progress = {
        wanted: token !== undefined,
        tell(done, total, message) {
          if (token === undefined || ++told > MOST_TOLD) return;
          const params = {
            progressToken: token,
            progress: done,
            ...(total === undefined ? {} : { total }),
            message: plainLine(message),
          };
          // Ignore a client that has gone; the call stops by its signal.
          mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
        },
      };
      const name = session === null ? null : `${session} ${JSON.stringify(mcpReq.id)}`;
      return cancellation.run(name, cancelled =>
        callTool(tool, params.arguments ?? {}, {
          ...served,
          services,
          signal: AbortSignal.any([mcpReq.signal, cancelled]),
          progress,
        }),
      );
    });
    server.setRequestHandler('resources/list', () => ({
      resources: fixed.map(resource => ({ uri: resource.uri, ...shown(resource) })),
    }));
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: templates.map(resource => ({ uriTemplate: resource.uri, ...shown(resource) })),
    }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      const ctx = contextOf(request, reply, services, READ_LIMIT_MS);
      let nearest: readonly string[] | null = null;
      for (const resource of resources) {
        const name = variableOf(resource, uri);
        const text = name === null ? null : await resource.read(ctx, name);
        if (text !== null)
          return { contents: [{ uri, mimeType: resource.mimeType, text: resource.isPage ? text : visibleText(text) }] };
        if (name !== null && resource.nearest)
          nearest = resource.nearest(ctx, name).map(one => resource.uri.replace('{name}', one));
      }
      nearest ??= nearestNames(
        uri,
        resources.map(resource => resource.uri),
      );
      const advice = nearest.length > 0 ? `; nearest: ${namesText(nearest)}` : '';
      throw new ResourceNotFoundError(plainLine(uri), `There is no resource ${plainLine(uri.slice(0, 128))}${advice}`);
    });
    return server;
  };
}
