import { SITING_TEMPLATES, type SitingTemplate } from '../../datasets/siting-templates.ts';
import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { invalidSearch, type SearchServices } from '../search/operation.ts';
import { SetReader } from '../sets/set-reader.ts';
import { BuildableBody } from './body.ts';
import { MOST_TEMPLATES } from './limits.ts';
import type { TemplateBody, TemplateRecord } from './template-schema.ts';

const shown = (template: SitingTemplate, own: boolean): TemplateRecord => ({
  name: template.name,
  title: template.title,
  own,
  exclusions: template.exclusions.map(({ layer, where, setbackM }) => ({
    layer,
    ...(where === undefined ? {} : { where }),
    setback_m: setbackM,
  })),
  boundary_setback_m: template.boundarySetbackM,
  max_slope_percent: template.maxSlopePercent,
  min_width_m: template.minWidthM,
  min_piece_acres: template.minPieceAcres,
});

/** GET /v1/buildable/templates: those that every account has, and the account's own. Free. */
export async function listTemplates(ctx: Ctx): Promise<{ templates: TemplateRecord[] }> {
  const own = await ctx.state.sitingTemplates.list(accountOf(ctx).id);
  return {
    templates: [
      ...[...SITING_TEMPLATES.values()].map(template => shown(template, false)),
      ...own.map(({ body }) => shown(JSON.parse(body) as SitingTemplate, true)),
    ],
  };
}

/**
 * PUT /v1/buildable/templates/{template}: stores a template of the account, in the place of one of the same name. Free.
 * @param body already of the right shape.
 * @throws ServiceError search_invalid_request, templates_too_many.
 */
export async function putTemplate(
  ctx: Ctx,
  { maxVertices }: Pick<SearchServices, 'maxVertices'>,
  name: string,
  body: TemplateBody,
): Promise<TemplateRecord> {
  const reader = new SetReader(ctx.catalog, ctx.engine, maxVertices);
  if (SITING_TEMPLATES.has(name))
    reader.issues.say('template', 'Every account has a template of this name.', 'Choose another one.');
  const template = new BuildableBody(reader, ctx.catalog, maxVertices).readTemplate(name, body);
  if (!template) throw invalidSearch(reader.issues.all, ctx.requestId, reader.issues.more);
  const row = { name, body: JSON.stringify(template), changedAt: ctx.clock.now() };
  if (!(await ctx.state.sitingTemplates.put(accountOf(ctx).id, row, MOST_TEMPLATES)))
    throw new ServiceError('templates_too_many', { most: MOST_TEMPLATES }, { max: MOST_TEMPLATES });
  return shown(template, true);
}

/** DELETE /v1/buildable/templates/{template}. Free. @throws ServiceError template_not_found. */
export async function deleteTemplate(ctx: Ctx, name: string): Promise<void> {
  if (!(await ctx.state.sitingTemplates.remove(accountOf(ctx).id, name))) throw new ServiceError('template_not_found');
}
