import { useState } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { openConnect, signIn } from '../shell/connect.tsx';
import { RequestPanel } from '../shell/request-panel.tsx';
import { isSession, useToken } from '../shell/session.ts';
import { Empty, Failed, Waiting } from '../shell/states.tsx';
import { CorrectionPanel } from './correction-panel.tsx';
import { FieldRequestPanel } from './field-request-panel.tsx';
import { FilePanel } from './file-panel.tsx';
import { GrantList } from './grant-list.tsx';
import { LimitForm } from './limit-form.tsx';
import { PlacePanel } from './place-table.tsx';
import { RunPanel } from './run-panel.tsx';
import { SignOutPanel } from './sign-out-panel.tsx';
import { TokenTable } from './token-table.tsx';
import { type Usage, UsageChart } from './usage-chart.tsx';
import { WatchPanel } from './watch-panel.tsx';

const USAGE: ApiRequest = { method: 'GET', path: '/v1/users/me/usage' };

/** The console of an account: usage, limit, tokens and runs. */
export function ConsoleView() {
  const token = useToken();
  const [limitChanges, setLimitChanges] = useState(0);
  const [grantChanges, setGrantChanges] = useState(0);
  const grantsChanged = () => setGrantChanges(n => n + 1);
  const [usage, again] = useAnswer<Usage>(token === null ? null : USAGE);
  if (token === null)
    return (
      <>
        <h1>Console</h1>
        <Empty title="Sign in to see your usage, tokens and runs.">
          <div class="row">
            <button type="button" class="primary" onClick={signIn}>
              Sign in
            </button>
            <button type="button" onClick={openConnect}>
              Use a token
            </button>
          </div>
        </Empty>
      </>
    );
  const changed = () => {
    setLimitChanges(limitChanges + 1);
    again();
  };
  return (
    <>
      <h1>Console</h1>
      {usage.is === 'failed' && <Failed error={usage.error} again={again} />}
      {usage.is === 'waiting' && <Waiting what="Usage is being fetched" />}
      {usage.is === 'here' && <UsageChart usage={usage.value} />}
      {isSession(token) ? (
        <>
          {usage.is === 'here' && <LimitForm key={limitChanges} usage={usage.value} onChanged={changed} />}
          {/* Shown without the usage too: somebody who stole a token may have spent the requests of the minute. */}
          <GrantList changes={grantChanges} onChanged={grantsChanged} />
          <TokenTable changes={grantChanges} onChanged={grantsChanged} />
          <PlacePanel />
        </>
      ) : (
        usage.is === 'here' && (
          <Empty title="Tokens and the limit are changed by whoever signed in.">
            <p>This tab is connected with an API token, which may use the service but not manage it.</p>
            <div class="row">
              <button type="button" class="primary" onClick={signIn}>
                Sign in
              </button>
            </div>
          </Empty>
        )
      )}
      {usage.is === 'here' && (
        <>
          <RunPanel />
          <FilePanel />
          <FieldRequestPanel />
          <WatchPanel />
          <CorrectionPanel />
        </>
      )}
      {isSession(token) && <SignOutPanel />}
      <RequestPanel request={USAGE} />
    </>
  );
}
