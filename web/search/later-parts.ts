import { later } from '../shell/later.tsx';

// What comes after the first look at a search is loaded when it is looked at.
export const SetCount = later(async () => (await import('./set-count.tsx')).SetCount, 'Parcels are being counted');
export const Relax = later(async () => (await import('./relax.tsx')).Relax, 'Conditions are being weighed');
export const WhyNot = later(async () => (await import('./why-not.tsx')).WhyNot, 'The parcel is being looked up');
export const MatchTable = later(
  async () => (await import('./match-table.tsx')).MatchTable,
  'Parcels are being compared',
);
export const GroupMap = later(async () => (await import('./group-map.tsx')).GroupMap, 'Parcels are being grouped');
export const WatchForm = later(
  async () => (await import('../watch/watch-form.tsx')).WatchForm,
  'The form is on its way',
);
export const ExportPanel = later(
  async () => (await import('../export/export-panel.tsx')).ExportPanel,
  'The price is being looked up',
);

export const AccumulationPanel = later(
  async () => (await import('../accumulation/accumulation-panel.tsx')).AccumulationPanel,
  'Values are being added up',
);

export const SiteReport = later(
  async () => (await import('../report/site-report.tsx')).SiteReport,
  'The report is being written',
);
