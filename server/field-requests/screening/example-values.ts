import type { AskRecord } from '../../ask/backend.ts';
import type { ExampleValue, Resume } from '../../state/field-requests/disposition.ts';
import type { ExampleLocation } from '../../state/field-requests/row.ts';

/** Makes the example value that dispositions show. */
export const exampleValue = (index: number, record: AskRecord): ExampleValue => ({
  index,
  status: record.status,
  value: record.value,
  unit: record.unit,
  source: record.source,
  source_url: record.source_url,
  dataset_vintage: record.dataset_vintage,
  notes: record.notes ?? record.error ?? null,
});

/** Makes the call that returns a field at the first example location. */
export const resumeOf = (field: string, [first]: readonly ExampleLocation[]): Resume => ({
  method: 'POST',
  url: '/v1/fetch',
  body: { lat: first!.resolved_location.lat, lng: first!.resolved_location.lng, fields: [field] },
});
