import type { ParcelAttribute } from '../parcel-attribute.ts';

/** Where the owner gets mail. */
export const MAILING = {
  mailadd: {
    type: 'string',
    description: 'Owner mailing address line.',
    terms: [
      'mailing address',
      'where does the owner get mail',
      "owner's address",
      'contact address',
      'dirección postal',
    ],
    hint: "Where tax bills reach the owner: an agent's or lender's address repeats over many parcels and is not the owner's home.",
  },
  mail_address2: {
    type: 'string',
    description: 'Second mailing address line.',
    terms: ['mailing suite', 'second mailing line', 'second address line of the owner'],
    hint: 'Attention lines and suites live here; without it mail to an office tower is returned.',
  },
  careof: {
    type: 'string',
    description: 'Care-of name on the mailing address.',
    terms: ['care of', 'in care of', 'c/o', 'attention'],
    hint: 'Names who really handles the property, such as a manager, lender or relative.',
  },
  mail_addno: {
    type: 'string',
    description: 'Mailing house number.',
    terms: ['mailing house number', "owner's house number", 'number on the mailing address'],
    hint: "With street and ZIP the key for linking one owner's holdings under different names.",
  },
  mail_addpref: {
    type: 'string',
    description: 'Mailing street pre-directional.',
    terms: [
      'mailing street direction before the name',
      'mailing prefix',
      'north or south in the mailing street',
      'mailing predirectional',
    ],
    hint: 'Keep it in mail merges: the postal service treats the other direction as another address.',
  },
  mail_addstr: {
    type: 'string',
    description: 'Mailing street name.',
    terms: ['mailing street', "owner's street name", 'street where the owner gets mail'],
    hint: 'Equal street names over several owners may reveal one family or shell companies.',
  },
  mail_addsttyp: {
    type: 'string',
    description: 'Mailing street type.',
    terms: ['mailing street type', 'mailing suffix', 'street or avenue of the mailing address'],
    hint: 'Printing the wrong type costs the postal discount and some of the replies.',
  },
  mail_addstsuf: {
    type: 'string',
    description: 'Mailing street post-directional.',
    terms: ['mailing street direction after the name', 'mailing postdirectional', 'mailing quadrant'],
    hint: 'Quadrant of the mailing street, needed for delivery in cities that use one.',
  },
  mail_unit: {
    type: 'string',
    description: 'Mailing unit number.',
    terms: ['mailing apartment', 'mailing unit', "owner's unit"],
    hint: 'A unit of a mail store here often means an absentee or shell owner.',
  },
  mail_city: {
    type: 'string',
    description: 'Mailing city.',
    terms: ["owner's city", 'where does the owner live', 'mailing city'],
    hint: 'Other than the situs city means an absentee owner, within the limits of post-town names.',
  },
  mail_state2: {
    type: 'string',
    description: 'Mailing two-letter state code.',
    terms: ['out of state owner', "owner's state", 'mailing state'],
    hint: 'Out of state owners sell and lease on other terms, and notices must allow for mailing time.',
  },
  mail_zip: {
    type: 'string',
    description: 'Mailing ZIP code as published.',
    terms: ["owner's zip", 'mailing zip code', 'postal code of the owner'],
    hint: 'Group owners by it to see where capital in the area comes from.',
  },
  mail_country: {
    type: 'string',
    description: 'Mailing country.',
    terms: ['foreign owner', "owner's country", 'mailing country', 'overseas owner'],
    hint: 'Foreign owners bring withholding tax at sale and, near some sites, a national security filing.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
