/** Events that a requester is told about (docs/field-requests.md, Callbacks). */
export const EVENT_TYPES = [
  'screening_completed',
  'request_live',
  'request_live_low_confidence',
  'request_blocked',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Channels on which a requester is told. */
export const CHANNELS = ['webhook', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Why a request is blocked (docs/field-requests.md, Callbacks). */
export const BLOCKED_CODES = [
  'no_indexable_source',
  'licensing',
  'coverage_gap',
  'quality_below_bar',
  'realtime_only',
  'cost_prohibitive',
  'upstream_dead',
  'pr_closed',
  'other',
] as const;
export type BlockedCode = (typeof BLOCKED_CODES)[number];

/** Names one message on one channel. */
export interface DeliveryId {
  readonly request_id: string;
  readonly event_type: EventType;
  readonly channel: Channel;
}
