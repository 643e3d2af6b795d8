import type { ParcelAttribute } from '../parcel-attribute.ts';

/** Who owns it. */
export const OWNER = {
  owner: {
    type: 'string',
    description: 'Primary owner name in standardised form.',
    hint: 'The party to contact or serve; recent closings take months to reach the roll.',
  },
  unmodified_owner: {
    type: 'string',
    description: 'Owner field exactly as published by the county.',
    hint: 'Read trusts, life estates and percentages here, which the standardised name drops.',
  },
  owner2: {
    type: 'string',
    description: 'Second owner name.',
    hint: 'Every co-owner must sign: a second name doubles the signatures an option needs.',
  },
  ownfrst: {
    type: 'string',
    description: 'First name of the primary owner when a person.',
    hint: 'For salutations only: splitting names errs with companies and double surnames.',
  },
  ownlast: {
    type: 'string',
    description: 'Last name of the primary owner when a person.',
    hint: 'Search the grantor index by it; spelling varies from deed to deed.',
  },
  owntype: {
    type: 'string',
    description: 'Owner type: person, company, trust, government, nonprofit or utility.',
    hint: 'Tells which door to knock at: people answer letters, companies a registered agent, governments a procurement office.',
  },
  previous_owner: {
    type: 'string',
    description: 'Previous owner name.',
    hint: 'Useful for environmental history: a former gas or cleaning business in the chain calls for a site assessment.',
  },
  owner_occupied: {
    type: 'boolean',
    description: 'Whether the mailing address matches the situs address.',
    hint: 'Occupants sell slowly and know the house; false suggests a rental or second home worth an offer.',
  },
  owner_public: {
    type: 'boolean',
    description: 'Whether the owner is a federal, state or local public body.',
    hint: 'Public land is not bought by offer and pays no tax: drop it from acquisition lists, keep it for access.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
