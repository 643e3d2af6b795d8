import type { Command } from '../query/engine/command.ts';
import { accountCreateCommand } from './commands/account/create.ts';
import { accountDeleteCommand } from './commands/account/delete.ts';
import { accountDisableCommand } from './commands/account/disable.ts';
import { accountEnableCommand } from './commands/account/enable.ts';
import { accountListCommand } from './commands/account/list.ts';
import { accountOperatorCommand } from './commands/account/operator.ts';
import { accountPlanCommand } from './commands/account/plan.ts';
import { accountShowCommand } from './commands/account/show.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { correctionsAcceptCommand } from './commands/corrections/accept.ts';
import { correctionsListCommand } from './commands/corrections/list.ts';
import { correctionsRejectCommand } from './commands/corrections/reject.ts';
import { correctionsReviewCommand } from './commands/corrections/review.ts';
import { correctionsShowCommand } from './commands/corrections/show.ts';
import { demoCommand } from './commands/demo.ts';
import { geocodeCommand } from './commands/geocode.ts';
import { jobsCancelCommand } from './commands/jobs/cancel.ts';
import { jobsListCommand } from './commands/jobs/list.ts';
import { jobsRetryCommand } from './commands/jobs/retry.ts';
import { jobsShowCommand } from './commands/jobs/show.ts';
import { workCommand } from './commands/jobs/work.ts';
import { openCommand } from './commands/open.ts';
import { receiptKeysCommand } from './commands/receipts/keys.ts';
import { receiptRotateCommand } from './commands/receipts/rotate.ts';
import { requestsApproveCommand } from './commands/requests/approve.ts';
import { requestsBlockCommand } from './commands/requests/block.ts';
import { requestsBuildCommand } from './commands/requests/build.ts';
import { requestsClaimCommand } from './commands/requests/claim.ts';
import { requestsDeliveriesCommand } from './commands/requests/deliveries.ts';
import { requestsListCommand } from './commands/requests/list.ts';
import { requestsPublishCommand } from './commands/requests/publish.ts';
import { requestsReleaseCommand } from './commands/requests/release.ts';
import { requestsReviewCommand } from './commands/requests/review.ts';
import { requestsScreenCommand } from './commands/requests/screen.ts';
import { requestsShowCommand } from './commands/requests/show.ts';
import { restoreCommand } from './commands/restore.ts';
import { serveCommand } from './commands/serve.ts';
import { sessionCreateCommand } from './commands/session-create.ts';
import { sessionEndCommand } from './commands/session-end.ts';
import { settingsCommand } from './commands/settings.ts';
import { tokenCreateCommand } from './commands/token-create.ts';
import { tokenListCommand } from './commands/token-list.ts';
import { tokenRevokeCommand } from './commands/token-revoke.ts';
import { verifyCommand } from './commands/verify.ts';
import { withholdAddCommand } from './commands/withhold/add.ts';
import { withholdListCommand } from './commands/withhold/list.ts';
import { withholdRemoveCommand } from './commands/withhold/remove.ts';

/** The commands of the server. */
export const commands: readonly Command[] = [
  demoCommand,
  serveCommand,
  openCommand,
  geocodeCommand,
  tokenCreateCommand,
  tokenListCommand,
  tokenRevokeCommand,
  sessionCreateCommand,
  sessionEndCommand,
  accountListCommand,
  accountShowCommand,
  accountCreateCommand,
  accountPlanCommand,
  accountOperatorCommand,
  accountDisableCommand,
  accountEnableCommand,
  accountDeleteCommand,
  withholdAddCommand,
  withholdListCommand,
  withholdRemoveCommand,
  auditCommand,
  backupCommand,
  restoreCommand,
  workCommand,
  jobsListCommand,
  jobsShowCommand,
  jobsRetryCommand,
  jobsCancelCommand,
  correctionsListCommand,
  correctionsShowCommand,
  correctionsReviewCommand,
  correctionsAcceptCommand,
  correctionsRejectCommand,
  requestsListCommand,
  requestsShowCommand,
  requestsScreenCommand,
  requestsClaimCommand,
  requestsBuildCommand,
  requestsReviewCommand,
  requestsApproveCommand,
  requestsPublishCommand,
  requestsBlockCommand,
  requestsReleaseCommand,
  requestsDeliveriesCommand,
  receiptKeysCommand,
  receiptRotateCommand,
  verifyCommand,
  settingsCommand,
];
