import type { SitingTemplate } from '../../datasets/siting-templates.ts';
import type { Ctx } from '../context.ts';

/** A template of the account of a request; null where there is none, or nobody has an account. */
export async function ownTemplate({ state, account }: Pick<Ctx, 'state' | 'account'>, name: string) {
  const row = account && (await state.sitingTemplates.template(account.id, name));
  return row ? (JSON.parse(row.body) as SitingTemplate) : null;
}
