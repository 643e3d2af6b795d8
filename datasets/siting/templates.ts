import dataCenter from './data-center.ts';
import housing from './housing.ts';
import solar from './solar.ts';
import storage from './storage.ts';
import type { SitingTemplate } from './template.ts';
import wind from './wind.ts';

/** All templates of siting, by name. */
export const SITING_TEMPLATES: ReadonlyMap<string, SitingTemplate> = new Map(
  [solar, wind, storage, dataCenter, housing].map(template => [template.name, template]),
);
