import type { ParcelAttribute } from '../parcel-attribute.ts';

/** What the assessor says the land is used for. */
export const USE = {
  usecode: {
    type: 'string',
    description: 'County land use code.',
    terms: ['use code', 'county land use code', 'property use number'],
    hint: "Means nothing outside its county: translate it with that county's table before you compare.",
  },
  usedesc: {
    type: 'string',
    description: 'County land use description.',
    terms: ['property use', 'what is it used for', 'land use', 'kind of property', 'uso de la propiedad'],
    hint: 'Tells how it is taxed today, neither what zoning allows nor what stands there after a recent change.',
  },
  property_class: {
    type: 'string',
    description: 'State or county property class code used for assessment.',
    terms: ['property class', 'tax class', 'assessment class'],
    hint: 'Class sets the assessment ratio in many states, so a reclassification after purchase can change the bill.',
  },
  use_group: {
    type: 'string',
    description: 'Harmonised use group: residential, commercial, industrial, agricultural, exempt, vacant or other.',
    terms: ['residential or commercial', 'type of property', 'farm or house', 'general use'],
    hint: "Good for screening across counties; read the county's own code before you decide about a single lot.",
  },
  vacant: {
    type: 'boolean',
    description: 'Whether the county classes the parcel as vacant land.',
    terms: ['vacant lot', 'empty land', 'raw land', 'bare land', 'is it undeveloped', 'terreno baldío'],
    hint: 'Assessors lag construction by a year or more: look at imagery before you call the land empty.',
  },
  ag_use_program: {
    type: 'string',
    description: 'Agricultural, forest or open-space present-use programme code.',
    terms: [
      'farm tax break',
      'agricultural exemption',
      'present use value',
      'current use',
      'forest tax program',
      'williamson act',
    ],
    hint: 'Leaving the program can trigger rollback taxes for several past years: price them into an offer.',
  },
  lbcs_activity: {
    type: 'string',
    description: 'APA land-based classification activity code.',
    terms: ['activity code', 'lbcs activity', 'what people do there by code'],
    hint: 'What people do on the land; pair it with the function code, since a school building may house offices.',
  },
  lbcs_activity_desc: {
    type: 'string',
    description: 'APA land-based classification activity description.',
    terms: ['what happens on the land', 'activity on the site', 'land activity'],
    hint: 'Readable side of the activity code: shopping or household here with vacant structure codes signals a data conflict.',
  },
  lbcs_function: {
    type: 'string',
    description: 'APA land-based classification function code.',
    terms: ['function code', 'lbcs function', 'economic function by code'],
    hint: 'The economic role of the establishment, which drives trip rates and parking needs in a traffic study.',
  },
  lbcs_function_desc: {
    type: 'string',
    description: 'APA land-based classification function description.',
    terms: ['kind of business', 'economic use of the land', 'enterprise type'],
    hint: 'Screen by it for competitors or sensitive neighbors such as day care.',
  },
  lbcs_structure: {
    type: 'string',
    description: 'APA land-based classification structure code.',
    terms: ['structure code', 'lbcs structure', 'building type by code'],
    hint: 'Kind of building whatever its use: conversions start by looking for a structure that does not fit its function.',
  },
  lbcs_structure_desc: {
    type: 'string',
    description: 'APA land-based classification structure description.',
    terms: ['kind of structure', 'building type', 'type of building on the land'],
    hint: 'Detached, attached or high-rise decides which building code and lender program you are in.',
  },
  lbcs_site: {
    type: 'string',
    description: 'APA land-based classification site code.',
    terms: ['site code', 'lbcs site', 'site development by code'],
    hint: 'Whether land is bare, graded or built: a developed site already has some of its utilities.',
  },
  lbcs_site_desc: {
    type: 'string',
    description: 'APA land-based classification site description.',
    terms: ['is the site developed', 'state of the site', 'site development'],
    hint: 'Read it to sort raw land from cleared lots before you estimate site work.',
  },
  lbcs_ownership: {
    type: 'string',
    description: 'APA land-based classification ownership code.',
    terms: ['ownership code', 'lbcs ownership', 'ownership type by code'],
    hint: 'Shows restraints such as public ownership or easements held by others; anything but unconstrained private ownership slows a purchase.',
  },
  lbcs_ownership_desc: {
    type: 'string',
    description: 'APA land-based classification ownership description.',
    terms: ['public or private', 'kind of ownership', 'ownership constraints'],
    hint: 'If it names a public or tribal holder, expect a disposal process instead of a negotiated sale.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
