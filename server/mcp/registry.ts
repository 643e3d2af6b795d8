import type { Tool } from './tool.ts';
import { askTool } from './tools/ask.ts';
import { askSiteTool } from './tools/ask-site.ts';
import { catalogTool } from './tools/catalog.ts';
import { coverageTool } from './tools/coverage.ts';
import { enrichTool } from './tools/enrich.ts';
import { fetchTool } from './tools/fetch.ts';
import { fetchBatchTool } from './tools/fetch-batch.ts';
import { fieldRequestsTool } from './tools/field-requests.ts';
import { geocodeTool } from './tools/geocode.ts';
import { lookupTool } from './tools/lookup.ts';
import { OWN_TOOLS } from './tools/own.ts';
import { proximityTool } from './tools/proximity.ts';
import { quoteTool } from './tools/quote.ts';
import { restTool } from './tools/rest.ts';
import { runsTool } from './tools/runs.ts';
import { searchTool } from './tools/search.ts';
import { setsTool } from './tools/sets.ts';
import { sitesTool } from './tools/sites.ts';

/** The tools of /mcp, in the order in which clients see them. */
export const TOOLS: readonly Tool[] = [
  catalogTool,
  coverageTool,
  fetchTool,
  fetchBatchTool,
  runsTool,
  quoteTool,
  searchTool,
  setsTool,
  enrichTool,
  lookupTool,
  geocodeTool,
  proximityTool,
  askTool,
  sitesTool,
  askSiteTool,
  fieldRequestsTool,
  ...OWN_TOOLS,
  restTool,
];
