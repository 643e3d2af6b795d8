import type { ParcelAttribute } from '../parcel-attribute.ts';

/** What the assessor says the land is used for. */
export const USE = {
  usecode: {
    type: 'string',
    description: 'County land use code.',
    hint: "Means nothing outside its county: translate it with that county's table before you compare.",
  },
  usedesc: {
    type: 'string',
    description: 'County land use description.',
    hint: 'Tells how it is taxed today, neither what zoning allows nor what stands there after a recent change.',
  },
  property_class: {
    type: 'string',
    description: 'State or county property class code used for assessment.',
    hint: 'Class sets the assessment ratio in many states, so a reclassification after purchase can change the bill.',
  },
  use_group: {
    type: 'string',
    description: 'Harmonised use group: residential, commercial, industrial, agricultural, exempt, vacant or other.',
    hint: "Good for screening across counties; read the county's own code before you decide about a single lot.",
  },
  vacant: {
    type: 'boolean',
    description: 'Whether the county classes the parcel as vacant land.',
    hint: 'Assessors lag construction by a year or more: look at imagery before you call the land empty.',
  },
  ag_use_program: {
    type: 'string',
    description: 'Agricultural, forest or open-space present-use programme code.',
    hint: 'Leaving the programme can trigger rollback taxes for several past years: price them into an offer.',
  },
  lbcs_activity: {
    type: 'string',
    description: 'APA land-based classification activity code.',
    hint: 'What people do on the land; pair it with the function code, since a school building may house offices.',
  },
  lbcs_activity_desc: {
    type: 'string',
    description: 'APA land-based classification activity description.',
    hint: 'Readable side of the activity code: shopping or household here with vacant structure codes signals a data conflict.',
  },
  lbcs_function: {
    type: 'string',
    description: 'APA land-based classification function code.',
    hint: 'The economic role of the establishment, which drives trip rates and parking needs in a traffic study.',
  },
  lbcs_function_desc: {
    type: 'string',
    description: 'APA land-based classification function description.',
    hint: 'Screen by it for competitors or sensitive neighbours such as day care.',
  },
  lbcs_structure: {
    type: 'string',
    description: 'APA land-based classification structure code.',
    hint: 'Kind of building whatever its use: conversions start by looking for a structure that does not fit its function.',
  },
  lbcs_structure_desc: {
    type: 'string',
    description: 'APA land-based classification structure description.',
    hint: 'Detached, attached or high-rise decides which building code and lender programme you are in.',
  },
  lbcs_site: {
    type: 'string',
    description: 'APA land-based classification site code.',
    hint: 'Whether land is bare, graded or built: a developed site already has some of its utilities.',
  },
  lbcs_site_desc: {
    type: 'string',
    description: 'APA land-based classification site description.',
    hint: 'Read it to sort raw land from cleared lots before you estimate site work.',
  },
  lbcs_ownership: {
    type: 'string',
    description: 'APA land-based classification ownership code.',
    hint: 'Shows restraints such as public ownership or easements held by others; anything but unconstrained private ownership slows a purchase.',
  },
  lbcs_ownership_desc: {
    type: 'string',
    description: 'APA land-based classification ownership description.',
    hint: 'If it names a public or tribal holder, expect a disposal process instead of a negotiated sale.',
  },
} as const satisfies Readonly<Record<string, ParcelAttribute>>;
