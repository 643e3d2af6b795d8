import type { ParcelAttribute } from '../parcel-attribute.ts';

/** Who owns it. */
export const OWNER = {
  owner: {
    type: 'string',
    description: 'Primary owner name in standardised form.',
    terms: ['owner', 'who owns it', 'landowner', 'property owner', 'dueño', 'propietario'],
    hint: 'The party to contact or serve; recent closings take months to reach the roll.',
  },
  unmodified_owner: {
    type: 'string',
    description: 'Owner field exactly as published by the county.',
    terms: ['owner as recorded', 'raw owner name', 'owner exactly as published'],
    hint: 'Read trusts, life estates and percentages here, which the standardised name drops.',
  },
  owner2: {
    type: 'string',
    description: 'Second owner name.',
    terms: ['second owner', 'co-owner', 'spouse on title', 'joint owner'],
    hint: 'Every co-owner must sign: a second name doubles the signatures an option needs.',
  },
  ownfrst: {
    type: 'string',
    description: 'First name of the primary owner when a person.',
    terms: ['owner first name', 'given name of the owner', 'forename of the owner'],
    hint: 'For salutations only: splitting names errs with companies and double surnames.',
  },
  ownlast: {
    type: 'string',
    description: 'Last name of the primary owner when a person.',
    terms: ['owner last name', 'surname of the owner', 'family name'],
    hint: 'Search the grantor index by it; spelling varies from deed to deed.',
  },
  owntype: {
    type: 'string',
    description: 'Owner type: person, company, trust, government, nonprofit or utility.',
    terms: ['person or company', 'type of owner', 'corporate owned', 'trust owned', 'llc owner'],
    hint: 'Tells which door to knock at: people answer letters, companies a registered agent, governments a procurement office.',
  },
  previous_owner: {
    type: 'string',
    description: 'Previous owner name.',
    terms: ['previous owner', 'who owned it before', 'prior owner', 'former owner'],
    hint: 'Useful for environmental history: a former gas or cleaning business in the chain calls for a site assessment.',
  },
  owner_occupied: {
    type: 'boolean',
    description: 'Whether the mailing address matches the situs address.',
    terms: ['owner occupied', 'does the owner live there', 'absentee owner', 'rental property', 'lives on site'],
    hint: 'Occupants sell slowly and know the house; false suggests a rental or second home worth an offer.',
  },
  owner_public: {
    type: 'boolean',
    description: 'Whether the owner is a federal, state or local public body.',
    terms: ['public land', 'government owned', 'owned by the city', 'state owned', 'public owner'],
    hint: 'Public land is not bought by offer and pays no tax: drop it from acquisition lists, keep it for access.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
