import type { ParcelAttribute } from '../parcel-attribute.ts';

/** How it changed hands. */
export const SALE = {
  saleprice: {
    type: 'number',
    unit: 'USD',
    description: 'Price of the last recorded sale.',
    terms: ['sale price', 'what did it sell for', 'purchase price', 'last price', 'how much did they pay', 'precio'],
    hint: 'Zero or a token sum is a family or corporate transfer; use only qualified sales as comparables.',
  },
  saledate: {
    type: 'date',
    description: 'Date of the last recorded sale (YYYY-MM-DD).',
    terms: ['sale date', 'when was it sold', 'last sold', 'closing date', 'when did they buy'],
    hint: "A price is worth what its date makes it: index it before you set it beside today's asking price.",
  },
  sale_qualification: {
    type: 'string',
    description: "County code saying whether the last sale is an arm's-length sale.",
    terms: ["arm's length", 'qualified sale', 'is it a real sale', 'foreclosure sale'],
    hint: 'The first filter of any comparable: unqualified codes cover foreclosures, gifts and partial interests.',
  },
  sale_deed_type: {
    type: 'string',
    description: 'Deed type of the last sale.',
    terms: ['deed type', 'warranty deed', 'quitclaim', 'kind of deed'],
    hint: 'Quitclaim and tax deeds carry no warranty of title: order a search before you rely on the chain.',
  },
  sale_document_number: {
    type: 'string',
    description: 'Recorder document number of the last sale.',
    terms: ['deed number', 'recording number', 'instrument number', 'document number'],
    hint: 'Order the recorded instrument by it to read covenants, easements and the true consideration.',
  },
  sale_multi_parcel: {
    type: 'boolean',
    description: 'Whether the last sale covered more than one parcel.',
    terms: ['multi-parcel sale', 'sold together', 'several lots sold', 'package sale'],
    hint: 'If true the price was paid for several lots: divide by all of them or drop the sale.',
  },
  seller_name: {
    type: 'string',
    description: 'Seller (grantor) in the last recorded sale.',
    terms: ['seller', 'who sold it', 'grantor', 'vendedor'],
    hint: 'A bank, sheriff or estate as seller tells that the price was forced.',
  },
  saleprice2: {
    type: 'number',
    unit: 'USD',
    description: 'Price of the previous recorded sale.',
    terms: ['earlier sale price', 'previous sale price', 'price before last', 'older price'],
    hint: 'Against the later price it shows appreciation, unless improvements came between.',
  },
  saledate2: {
    type: 'date',
    description: 'Date of the previous recorded sale (YYYY-MM-DD).',
    terms: ['earlier sale date', 'previous sale', 'sale before last', 'older sale'],
    hint: 'Two dates within a year mark a flip: look for permits that explain the gain.',
  },
  sale_count: {
    type: 'integer',
    unit: 'count',
    description: 'Number of sales held in the stored record.',
    terms: ['how many sales', 'sales history', 'number of times sold'],
    hint: 'Counts what the file kept, often the last few only: it is no full chain of title.',
  },
  last_ownership_transfer_date: {
    type: 'date',
    description: 'Date of the last transfer of title of any kind (YYYY-MM-DD).',
    terms: ['last transfer', 'when did title change', 'last deed', 'inherited when', 'ownership change'],
    hint: 'Later than the last sale means inheritance, divorce or entity change: the person to call is new.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
