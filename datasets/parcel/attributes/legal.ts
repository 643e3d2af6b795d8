import type { ParcelAttribute } from '../parcel-attribute.ts';

/** How deeds and plats describe it, and its size. */
export const LEGAL = {
  legaldesc: {
    type: 'string',
    description: 'Legal description text.',
    terms: ['legal description', 'metes and bounds', 'legal text', 'deed description'],
    hint: 'Only this text, read whole in the deed, defines what is conveyed; assessors shorten it.',
  },
  subdivision: {
    type: 'string',
    description: 'Recorded subdivision name.',
    terms: ['subdivision', 'development name', 'housing development', 'fraccionamiento'],
    hint: 'Look for recorded covenants under this name: they bind beyond zoning.',
  },
  plat: {
    type: 'string',
    description: 'Plat name or number.',
    terms: ['plat', 'plat map', 'recorded plat name'],
    hint: 'Order the recorded plat by it for lot lines, easements and building setbacks.',
  },
  plat_book: {
    type: 'string',
    description: 'Plat book number.',
    terms: ['plat book', 'map book', 'book of the plat'],
    hint: 'Half of the reference to the recorded map; it is useless without the page.',
  },
  plat_page: {
    type: 'string',
    description: 'Plat page number.',
    terms: ['plat page', 'map page', 'page of the plat'],
    hint: 'With the book it finds the drawing on which surveyors rely.',
  },
  book: {
    type: 'string',
    description: 'Deed book number.',
    terms: ['deed book', 'book number', 'registry book'],
    hint: 'Where the deed stands in the registry; county renumbering can make old books ambiguous.',
  },
  page: {
    type: 'string',
    description: 'Deed page number.',
    terms: ['deed page', 'page number', 'registry page'],
    hint: 'First page of the deed: exhibits with easements often follow several pages on.',
  },
  block: {
    type: 'string',
    description: 'Legal block.',
    terms: ['block number', 'legal block', 'block and lot'],
    hint: 'Lot numbers repeat from block to block, so never quote a lot without it.',
  },
  lot: {
    type: 'string',
    description: 'Legal lot.',
    terms: ['lot number', 'legal lot', 'lot and block'],
    hint: 'Parts of lots and several lots under one number are common: check area against the plat.',
  },
  plss_township: {
    type: 'string',
    description: 'Public land survey township.',
    terms: ['township number', 'public land survey township', 'plss'],
    hint: 'Counts six-mile rows from a base line that is not given here: several meridians can share a state.',
  },
  plss_range: {
    type: 'string',
    description: 'Public land survey range.',
    terms: ['range number', 'public land survey range', 'plss'],
    hint: 'East or west matters: the wrong letter moves the land by tens of miles.',
  },
  plss_section: {
    type: 'string',
    description: 'Public land survey section.',
    terms: ['section number', 'section of land', 'public land survey section', 'plss'],
    hint: 'A nominal square mile; mineral and grazing leases are filed under it.',
  },
  acreage: {
    type: 'number',
    unit: 'acres',
    precision: 1e-5,
    description: 'Geometry-derived geodesic area of the parcel.',
    computed: true,
    terms: ['acres', 'lot size', 'how many acres', 'size of the land', 'acreage', 'acres de terreno', 'hectares'],
    hint: 'Computed from the outline, so it tests the others: more than a few percent off the deed calls for a survey.',
  },
  gisacre: {
    type: 'number',
    unit: 'acres',
    // Half a square metre: city lots are measured in hundredths of an acre.
    precision: 0.0001,
    description: 'County-reported GIS area.',
    terms: ['county acres', 'gis acreage', 'acres by the county map'],
    hint: "The county's own map figure, often clipped at roads or water in another way than the outline you see.",
  },
  deeded_acres: {
    type: 'number',
    unit: 'acres',
    precision: 0.0001,
    description: 'Acreage stated in the deed or legal description.',
    terms: ['deeded acres', 'acres in the deed', 'recorded acreage', 'legal acres'],
    hint: 'Legally the safest figure, and often the oldest; "more or less" in the deed covers large errors.',
  },
  recrdareano: {
    type: 'number',
    unit: 'sq ft',
    description: 'Recorded area published by the county.',
    terms: ['lot square feet', 'recorded area', 'lot area in square feet'],
    hint: 'Square feet on record drive minimum-lot-size rulings even where the map disagrees.',
  },
  lot_frontage_ft: {
    type: 'number',
    unit: 'ft',
    description: 'County-reported lot frontage.',
    terms: ['frontage', 'road frontage', 'width of the lot', 'street frontage'],
    hint: 'Below the district minimum the lot may be unbuildable without a variance, whatever its area.',
  },
  lot_depth_ft: {
    type: 'number',
    unit: 'ft',
    description: 'County-reported lot depth.',
    terms: ['lot depth', 'how deep is the lot', 'depth of the lot'],
    hint: 'Depth less both yard setbacks leaves the building envelope; corner lots measure differently.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
