import type { ParcelAttribute } from '../parcel-attribute.ts';

/** How it changed hands. */
export const SALE = {
  saleprice: {
    type: 'number',
    unit: 'USD',
    description: 'Price of the last recorded sale.',
    hint: 'Zero or a token sum is a family or corporate transfer; use only qualified sales as comparables.',
  },
  saledate: {
    type: 'date',
    description: 'Date of the last recorded sale (YYYY-MM-DD).',
    hint: "A price is worth what its date makes it: index it before you set it beside today's asking price.",
  },
  sale_qualification: {
    type: 'string',
    description: "County code saying whether the last sale is an arm's-length sale.",
    hint: 'The first filter of any comparable: unqualified codes cover foreclosures, gifts and partial interests.',
  },
  sale_deed_type: {
    type: 'string',
    description: 'Deed type of the last sale.',
    hint: 'Quitclaim and tax deeds carry no warranty of title: order a search before you rely on the chain.',
  },
  sale_document_number: {
    type: 'string',
    description: 'Recorder document number of the last sale.',
    hint: 'Order the recorded instrument by it to read covenants, easements and the true consideration.',
  },
  sale_multi_parcel: {
    type: 'boolean',
    description: 'Whether the last sale covered more than one parcel.',
    hint: 'If true the price was paid for several lots: divide by all of them or drop the sale.',
  },
  seller_name: {
    type: 'string',
    description: 'Seller (grantor) in the last recorded sale.',
    hint: 'A bank, sheriff or estate as seller tells that the price was forced.',
  },
  saleprice2: {
    type: 'number',
    unit: 'USD',
    description: 'Price of the previous recorded sale.',
    hint: 'Against the later price it shows appreciation, unless improvements came between.',
  },
  saledate2: {
    type: 'date',
    description: 'Date of the previous recorded sale (YYYY-MM-DD).',
    hint: 'Two dates within a year mark a flip: look for permits that explain the gain.',
  },
  sale_count: {
    type: 'integer',
    unit: 'count',
    description: 'Number of sales held in the stored record.',
    hint: 'Counts what the file kept, often the last few only: it is no full chain of title.',
  },
  last_ownership_transfer_date: {
    type: 'date',
    description: 'Date of the last transfer of title of any kind (YYYY-MM-DD).',
    hint: 'Later than the last sale means inheritance, divorce or entity change: the person to call is new.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
