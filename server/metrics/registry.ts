/** The description of one metric for operators. */
export interface MetricKind {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[];
  /** How the values of several processes are combined; added when missing. */
  readonly together?: 'sum' | 'max' | 'min' | 'average' | 'first';
  /** When the metric needs attention, and what to do then. */
  readonly act: string;
}

/** Every metric of Plat, beside the defaults of prom-client. `docs/metrics.md` is generated from this table. */
export const METRICS = {
  plat_requests_total: {
    type: 'counter',
    help: 'Requests that were answered, by route, method and status.',
    labels: ['route', 'method', 'status'],
    act: 'A 5xx other than 503 is a fault of the program: the log has its cause under the request id. 499 went away.',
  },
  plat_request_seconds: {
    type: 'histogram',
    help: 'Seconds from the last byte of the head of a request to the last byte of its answer, by route.',
    labels: ['route'],
    act: 'Compare with plat_queue_waiting and plat_state_seconds: which of them grows with it says where the time goes.',
  },
  plat_requests_running: {
    type: 'gauge',
    help: 'Requests that are being answered or wait for a worker, by class of account: its plan, or `none` without a token.',
    labels: ['class'],
    act: 'One class that grows while the others stay is one kind of customer that asks for more than the workers do.',
  },
  plat_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'What 999 of 1,000 turns of the event loop of the serving thread, asked for each millisecond, were late at most since metrics were asked for last.',
    together: 'max',
    act: 'Above 0.015 somebody waits for work that the serving thread does for another: plat_request_seconds says beside which route.',
  },
  plat_connections: {
    type: 'gauge',
    help: 'Open connections of clients.',
    act: 'Near PLAT_MAX_CONNECTIONS new clients are refused: look for who keeps so many, or raise it.',
  },
  plat_leases: {
    type: 'gauge',
    help: 'What requests and connections occupy until they end, by kind: slots, places in a line, bytes, turns, timers.',
    labels: ['kind'],
    act: 'A kind that stays above zero while plat_connections is 0 is a fault of the program: report it; a restart frees it.',
  },
  plat_queue_waiting: {
    type: 'gauge',
    help: 'Requests that wait for a worker.',
    act: 'Above zero for minutes: more workers (PLAT_WORKERS) where cores are idle, else another machine. At PLAT_QUEUE clients get fetch_busy.',
  },
  plat_workers: {
    type: 'gauge',
    help: 'Worker threads that there should be.',
    act: 'PLAT_WORKERS times the processes.',
  },
  plat_workers_ready: {
    type: 'gauge',
    help: 'Worker threads that answer.',
    act: 'Below plat_workers for more than a minute: the log says why workers end; /readyz is not ready meanwhile.',
  },
  plat_processes: {
    type: 'gauge',
    help: 'Serving processes that there should be.',
    act: 'PLAT_PROCESSES. Other metrics of several processes are added, so divide by plat_processes_ready what one of them may have.',
  },
  plat_processes_ready: {
    type: 'gauge',
    help: 'Serving processes that answered for their metrics within two seconds; the other metrics are theirs.',
    act: 'Below plat_processes for more than a minute: one hangs, or ends each time before it listens, which the log says.',
  },
  plat_process_restarts_total: {
    type: 'counter',
    help: 'Serving processes that ended unexpectedly and were started again, with PLAT_PROCESSES above 1.',
    act: 'Grows: the log says which process ended and how; `dmesg` says whether the kernel ended it for its memory.',
  },
  plat_jobs: {
    type: 'gauge',
    help: 'Jobs of the state store by kind and status: waiting, running, and failed within the last week.',
    labels: ['kind', 'status'],
    together: 'max',
    act: 'Failed: `plat jobs list --status failed` says why, `plat jobs retry JOB` tries one again.',
  },
  plat_jobs_waiting_seconds: {
    type: 'gauge',
    help: 'Seconds for which the job of a kind that waits longest could have been begun; absent while none waits.',
    labels: ['kind'],
    together: 'max',
    act: 'Above some minutes: more processes (`plat work`) where cores are idle; none begins when PLAT_JOBS is off everywhere.',
  },
  plat_disk_bytes: {
    type: 'gauge',
    help: 'Bytes of the disk that PLAT_HOME is on.',
    together: 'max',
    act: 'For information: what plat_disk_free_bytes is compared with.',
  },
  plat_disk_free_bytes: {
    type: 'gauge',
    help: 'Bytes that the user of the server may still write there.',
    together: 'min',
    act: 'Below a tenth, or less than a release takes: `plat release prune`; logs and backups on the same disk.',
  },
  plat_backup_age_seconds: {
    type: 'gauge',
    help: 'Seconds since `plat backup` of this home last ended well; absent where it never did.',
    together: 'max',
    act: 'Older than your backups are apart: run it by hand and see what it says.',
  },
  plat_cache_bytes: {
    type: 'gauge',
    help: 'Estimated bytes of the 24-hour response cache of fetch.',
    act: 'It stays below 64 MB for each process.',
  },
  plat_cache_lookups_total: {
    type: 'counter',
    help: 'Looks into the 24-hour response cache, by whether the value was there.',
    labels: ['found'],
    act: 'For information: prices do not depend on it.',
  },
  plat_state_up: {
    type: 'gauge',
    help: '1 while the state store answers, 0 during an outage.',
    together: 'min',
    act: '0: nothing can be charged, /readyz is not ready; the log says the cause once a minute. Mend the database or its disk; servers go on by themselves.',
  },
  plat_state_outages_total: {
    type: 'counter',
    help: 'Outages of the state store since the start.',
    act: 'Several a day without a restart of the database: look at its disk, its locks and the network between.',
  },
  plat_state_seconds: {
    type: 'histogram',
    help: 'Seconds that calls of the state store took.',
    act: 'The 99th percentile above 0.05 with SQLite: the disk is slow or several processes write; take PostgreSQL.',
  },
  plat_credits_reserved_total: {
    type: 'counter',
    help: 'Credits held before work, by endpoint.',
    labels: ['endpoint'],
    act: 'For information.',
  },
  plat_credits_spent_total: {
    type: 'counter',
    help: 'Credits charged for answers.',
    act: 'Far below plat_credits_reserved_total: many fields fail; look at plat_damaged_files.',
  },
  plat_credits_refused_total: {
    type: 'counter',
    help: 'Requests refused because an allowance was used up, by endpoint.',
    labels: ['endpoint'],
    act: 'For information.',
  },
  plat_release_info: {
    type: 'gauge',
    help: '1 for the release that answers.',
    labels: ['release'],
    together: 'max',
    act: 'Two of them for more than some seconds: a process cannot open the new release; its log says why.',
  },
  plat_dataset_age_seconds: {
    type: 'gauge',
    help: 'Seconds since the newest file of a dataset was retrieved.',
    labels: ['dataset'],
    together: 'max',
    act: 'Older than you promise your users: ingest it again.',
  },
  plat_release_age_seconds: {
    type: 'gauge',
    help: 'Seconds since anything of the release was retrieved last.',
    together: 'max',
    act: 'Older than your ingests are apart: the last one failed; see PLAT_HOME/logs.',
  },
  plat_place_failing_seconds: {
    type: 'gauge',
    help: 'Seconds since a place, or the first of its files, fails to refresh; 0 while nothing of it fails. Beyond 500 places, the longest failing first, the rest as `other`.',
    labels: ['place'],
    together: 'max',
    act: 'Longer than its refreshes are apart: `plat place list --failing` says which file and why.',
  },
  plat_place_age_seconds: {
    type: 'gauge',
    help: 'Seconds since something new last came of a place; the same places as of plat_place_failing_seconds.',
    labels: ['place'],
    together: 'max',
    act: 'Older than you promise your users: look at its publishers.',
  },
  plat_place_asked_seconds: {
    type: 'gauge',
    help: 'Seconds since a place was last ingested or tried; the same places as of plat_place_failing_seconds.',
    labels: ['place'],
    together: 'max',
    act: 'Older than its shortest cadence: `plat refresh --due` does not run.',
  },
  plat_replica_number: {
    type: 'gauge',
    help: 'Number, in the store of PLAT_RELEASES, of the release that was pulled last.',
    together: 'max',
    act: 'Compare servers: one that stays behind for minutes says why in its log and in /readyz.',
  },
  plat_replica_failing: {
    type: 'gauge',
    help: '1 while the last release of that store cannot be pulled, or the store cannot be asked.',
    together: 'max',
    act: '1 for minutes: the log says why. The server goes on with the release that it has.',
  },
  plat_replica_bytes_total: {
    type: 'counter',
    help: 'Bytes downloaded from that store since the start.',
    together: 'max',
    act: 'For information: PLAT_RELEASES_RATE_MB limits it.',
  },
  plat_damaged_files: {
    type: 'gauge',
    help: 'Files of the release that cannot be used, by layer; `current` is what names the release.',
    labels: ['layer'],
    together: 'max',
    act: 'Above zero: restore the file from a backup (`plat release verify` names it), ingest its place again, or roll back.',
  },
} as const satisfies Record<string, MetricKind>;

export type MetricName = keyof typeof METRICS;
