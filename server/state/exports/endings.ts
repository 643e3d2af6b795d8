import type { Effect } from '../jobs/queue.ts';
import { type Reservation, settleIn } from '../ledger.ts';
import type { RunError } from '../runs/records.ts';
import { PARTS } from './pieces.ts';
import { type ExportFile, exportTopic } from './records.ts';

/** Effect: an export has failed. Its reservation is released and its parts are deleted. */
export const exportFailed =
  (id: string, error: RunError, now: number): Effect =>
  async (tx, changes) => {
    const row = await tx
      .updateTable('exports')
      .set({ status: 'failed', error: JSON.stringify(error), updated_at: now })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returning('reservation')
      .executeTakeFirst();
    if (!row) return;
    await tx.deleteFrom('stored_pieces').where('owner_id', '=', id).execute();
    if (row.reservation !== null) await settleIn(tx, JSON.parse(row.reservation) as Reservation, 0, now);
    await changes.tellIn(tx, exportTopic(id));
  };

/**
 * Effect: an export is done, and its rows are charged, in one transaction.
 * @param unaffordable its error when its reservation had expired and the credits are gone.
 */
export const exportDone =
  (id: string, files: readonly ExportFile[], now: number, unaffordable: RunError): Effect =>
  async (tx, changes) => {
    const row = await tx
      .updateTable('exports')
      .set(one => ({ status: 'done' as const, files: JSON.stringify(files), total: one.ref('done'), updated_at: now }))
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returning(['reservation', 'cost'])
      .executeTakeFirst();
    if (!row) return;
    await tx.deleteFrom('stored_pieces').where('owner_id', '=', id).where('name', '=', PARTS).execute();
    const held = row.reservation === null ? null : (JSON.parse(row.reservation) as Reservation);
    if (held && !(await settleIn(tx, held, Math.min(row.cost, held.reserved), now))) {
      await tx
        .updateTable('exports')
        .set({ status: 'failed', files: null, error: JSON.stringify(unaffordable) })
        .where('id', '=', id)
        .execute();
      await tx.deleteFrom('stored_pieces').where('owner_id', '=', id).execute();
    }
    await changes.tellIn(tx, exportTopic(id));
  };
