import { describe, expect, it } from 'vitest';
import { isSettled, STATUSES, statesBefore } from '../../../server/state/field-requests/states.ts';

describe('states of field requests', () => {
  const STEPS = [
    'received screening',
    'screening matched',
    'screening awaiting_confirm',
    'screening rejected',
    'screening queued',
    'queued claimed',
    'claimed building',
    'building in_review',
    'in_review approved',
    'in_review building',
    'approved publishing',
    'publishing live',
    'claimed queued',
    'building queued',
    'awaiting_confirm expired',
    ...['received', 'screening', 'awaiting_confirm', 'queued', 'claimed', 'building'].map(from => `${from} blocked`),
    ...['in_review', 'approved', 'publishing'].map(from => `${from} blocked`),
  ];

  it('have these steps between them and no other', () => {
    const steps = STATUSES.flatMap(to => statesBefore(to).map(from => `${from} ${to}`));
    expect(steps.sort()).toEqual([...STEPS].sort());
  });

  it('end in five', () => {
    expect(STATUSES.filter(isSettled)).toEqual(['matched', 'rejected', 'live', 'blocked', 'expired']);
  });

  it('know where one comes from', () => {
    expect(statesBefore('building')).toEqual(['claimed', 'in_review']);
    expect(statesBefore('received')).toEqual([]);
  });
});
