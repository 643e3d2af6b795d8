import { TOOLS } from '../mcp/registry.ts';
import { PREFIX } from '../mcp/tool.ts';

/** A line for each tool, in the order in which clients see them. */
const lines = TOOLS.flatMap(({ name, when }) => when?.replace('{tool}', `\`${PREFIX}${name}\``) ?? []);

/** The text of the skill that teaches agents to use the service. */
export const SKILL = `---
name: plat
description: Cited answers about places in the United States (parcels, flood zones, terrain, utilities, zoning, hazards). Use when a question is about a coordinate, an address, a parcel or land that shall be found by its properties.
---

# Plat

${lines.map((line, i) => `${i + 1}. ${line}`).join('\n')}

Cite the source and vintage of each value. \`absent\` means that the source has no data there; \`failed\` says nothing and can be tried again where \`retryable\` is true. Compare \`normalized_address\` with the address that was asked about; where \`parcel_grade\` is false the point is only near it.
`;
