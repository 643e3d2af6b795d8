import type { Box } from '../../datasets/geometry.ts';
import { groundTotal } from '../../datasets/place/ground-kind.ts';
import type { IngestCount } from '../../datasets/release.ts';
import type { StagedCoverage } from './ground/coverage.ts';
import { cutBox } from './ground/cut.ts';
import type { Intake } from './intake.ts';
import { LayerError, type LayerJob } from './layer-job.ts';
import { cappedBy } from './quality/capped.ts';
import { misplacement } from './quality/location.ts';

const overlap = (a: Box, b: Box) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/**
 * Checks that a file is the right one.
 * @param box lng,lat box of its stored rows.
 * @throws LayerError when all rows were rejected, or when they lie outside the coverage.
 */
export function checkIntake(job: LayerJob, intake: Intake, box: Box | null, coverage: StagedCoverage): void {
  const { file } = job.layer;
  const { placed } = intake.measure;
  const cause = placed && misplacement(placed);
  if (intake.read > 0 && intake.rejects.rejected === intake.read)
    throw new LayerError(
      `${file}: all ${intake.read} rows were rejected; the first: row ${intake.rejects.first[0]?.row}: ${intake.rejects.first[0]?.reason}${cause ? `; ${cause}` : ''}`,
    );
  // What is kept about a county may lie beside it, as faults do that are far away.
  if (box && coverage.box && !overlap(box, cutBox(job) ?? coverage.box))
    throw new LayerError(
      `${file}: its coordinates (${box.map(v => v.toFixed(4)).join(' ')}) do not touch the coverage of ${job.place.name} ` +
        `(${coverage.box.map(v => v.toFixed(4)).join(' ')}); ${cause ?? 'is its CRS the one that was declared?'}`,
    );
}

/** Why a joined file is only a part; the rows that the rest would join to would have no values. */
function cappedJoin({ layer, place }: LayerJob, { joinFiles }: Intake): string | null {
  const { expectRows: _, ...rest } = layer;
  for (const { file, read, findings } of joinFiles) {
    const own = { ...rest, file, provenance: { ...rest.provenance, url: null } };
    const capped = cappedBy({ layer: own, place }, read, findings);
    if (capped !== null) return `${file}: ${capped}`;
  }
  return null;
}

/**
 * Returns the counts of a layer's rows.
 * @param stored rows that were written. @param dissolvedTo rows that those written became; null where they stay as they are.
 * @throws LayerError when rows were lost on the way.
 */
export function countOf(job: LayerJob, intake: Intake, stored: number, dissolvedTo: number | null): IngestCount {
  const { read, skipped, repeated } = intake;
  const { rejected, repaired, unaddressed, ground } = intake.rejects;
  const moved = groundTotal(ground);
  const { dataset, layer, file, provenance } = job.layer;
  const quality = intake.measure.quality(provenance.vintage);
  const written = read + repeated - skipped - rejected - moved;
  if (stored !== (dissolvedTo ?? written))
    throw new LayerError(
      `${file}: ${read} rows read, ${skipped} skipped and ${rejected} rejected${moved > 0 ? `, ${moved} no parcels` : ''} leave ${dissolvedTo ?? written}, but ${stored} were written`,
    );
  const notes = [
    ...(intake.cut ? [intake.cut.note] : []),
    ...(intake.findings?.notes ?? []),
    ...intake.joinFiles.flatMap(({ file, findings }) => (findings?.notes ?? []).map(note => `${file}: ${note}`)),
  ];
  const capped = cappedBy(job, read, intake.findings) ?? cappedJoin(job, intake);
  const joins = intake.joins.length > 0 ? { joins: intake.joins } : {};
  return {
    place: job.place.name,
    dataset,
    layer,
    file,
    read,
    written,
    skipped,
    rejected,
    repaired,
    ...(unaddressed > 0 ? { unaddressed } : {}),
    dissolvedTo,
    quality,
    ...(moved > 0 ? { ground } : {}),
    ...joins,
    ...(notes.length > 0 ? { notes } : {}),
    ...(capped === null ? {} : { capped }),
  };
}
