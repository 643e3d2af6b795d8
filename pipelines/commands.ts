import type { Command } from '../query/engine/command.ts';
import { ingestScoreCommand } from './commands/ingest/score.ts';
import { ingestDiffCommand } from './commands/ingest-diff.ts';
import { ingestOverlayCommand } from './commands/ingest-overlay.ts';
import { ingestPlanCommand } from './commands/ingest-plan.ts';
import { ingestPublishCommand } from './commands/ingest-publish.ts';
import { ingestRejectsCommand } from './commands/ingest-rejects.ts';
import { ingestRemoveCommand } from './commands/ingest-remove.ts';
import { ingestResumeCommand } from './commands/ingest-resume.ts';
import { ingestRunCommand } from './commands/ingest-run.ts';
import { ingestStatusCommand } from './commands/ingest-status.ts';
import { ingestVerifyCommand } from './commands/ingest-verify.ts';
import { ingestWorkerCommand } from './commands/ingest-worker.ts';
import { directoryUpdateCommand } from './commands/place/directory-update.ts';
import { placeNewCommand } from './commands/place/new.ts';
import { placeCheckCommand } from './commands/place-check.ts';
import { placeInitCommand } from './commands/place-init.ts';
import { placeListCommand } from './commands/place-list.ts';
import { placeMapCommand } from './commands/place-map.ts';
import { placeSchemaCommand } from './commands/place-schema.ts';
import { refreshCommand } from './commands/refresh.ts';
import { releaseExportCommand } from './commands/release/export.ts';
import { releaseListCommand } from './commands/release/list.ts';
import { packCommand } from './commands/release/pack.ts';
import { ingestPruneCommand, releasePruneCommand } from './commands/release/prune.ts';
import { releasePushCommand } from './commands/release/push.ts';
import { ingestRollbackCommand, releaseRollbackCommand } from './commands/release/rollback.ts';
import { releaseShowCommand } from './commands/release/show.ts';
import { releaseStacCommand } from './commands/release/stac.ts';
import { releaseVerifyCommand } from './commands/release/verify.ts';
import { sourcesCheckCommand } from './commands/sources-check.ts';
import { sqlCommand } from './commands/sql.ts';
import { command as worldGenerateCommand } from './world/command.ts';

/** The commands of data engineers. */
export const commands: readonly Command[] = [
  ingestPlanCommand,
  ingestRunCommand,
  ingestStatusCommand,
  ingestResumeCommand,
  ingestVerifyCommand,
  ingestPublishCommand,
  ingestRollbackCommand,
  ingestPruneCommand,
  ingestDiffCommand,
  ingestRemoveCommand,
  refreshCommand,
  sourcesCheckCommand,
  ingestOverlayCommand,
  ingestScoreCommand,
  ingestWorkerCommand,
  ingestRejectsCommand,
  placeNewCommand,
  directoryUpdateCommand,
  placeInitCommand,
  placeCheckCommand,
  placeListCommand,
  placeMapCommand,
  placeSchemaCommand,
  releaseListCommand,
  releaseShowCommand,
  releaseVerifyCommand,
  releaseExportCommand,
  releaseStacCommand,
  releasePushCommand,
  releaseRollbackCommand,
  releasePruneCommand,
  packCommand,
  sqlCommand,
  worldGenerateCommand,
];
