import { Type } from 'typebox';
import type { Ctx } from '../../context.ts';
import type { ListServices } from '../../listing/page.ts';
import type { ListQuery } from '../../listing/schema.ts';
import { shortText } from '../text.ts';
import { type Form, form } from '../tool.ts';

const LIMIT_MS = 10_000;
const CURSOR = { cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })) };

/** Keys by which a tool lists what the account has. */
export const LIST_KEYS = {
  list: Type.Literal(true, { description: 'Lists them, the newest first.' }),
  ...CURSOR,
};
const ListBody = Type.Object(LIST_KEYS, { additionalProperties: false });
const PageBody = Type.Object(CURSOR, { additionalProperties: false });

/** A list of what an account has, as its route answers it. */
type List = (ctx: Ctx, services: ListServices, query: ListQuery) => Promise<object>;

/**
 * The form of a tool that lists: by `list: true`, or by a word where the tool has several operations.
 * @param terms `schema` is that of all forms of the tool.
 */
export const listForm = (terms: Pick<Form, 'route' | 'schema'> & { readonly operation?: string }, list: List): Form =>
  form({
    ...terms,
    ...(terms.operation === undefined ? { key: 'list', judged: ListBody } : { judged: PageBody }),
    limitMs: LIMIT_MS,
    async answer({ ctx, services }, body) {
      const { cursor } = body as ListQuery;
      const page = await list(ctx, services.lists, cursor === undefined ? {} : { cursor });
      const [name, entries] = Object.entries(page).find(([, value]) => Array.isArray(value)) as [string, object[]];
      return { structured: page, text: shortText([`${entries.length} ${name.replace('_', ' ')} on this page.`]) };
    },
  });
