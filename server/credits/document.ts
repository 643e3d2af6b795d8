import { FIELD_CREDITS, PLAN_NAMES, PLANS, type Price } from '../plans.ts';
import { KEPT_BYTES } from '../state/kept-answers.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** The text of docs/plans.md. @param list the price of a call of every endpoint that has one. */
export function renderPlans(list: readonly Price[]): string {
  const plans = PLAN_NAMES.map(name => {
    const {
      creditsPerMonth,
      requestsPerMinute,
      parcelRecordCredits,
      waitingJobs,
      openFieldRequests,
      exportRows,
      watches,
    } = PLANS[name];
    return `| \`${name}\` | ${number(creditsPerMonth)} | ${number(requestsPerMinute)} | ${parcelRecordCredits} | ${number(waitingJobs)} | ${openFieldRequests} | ${number(exportRows)} | ${number(watches)} |`;
  });
  const prices = list.map(({ endpoint, credits, unit }) => `| \`${endpoint}\` | ${credits ?? '–'} | ${unit} |`);
  return `# Plans and credits

<!-- Generated from server/plans.ts and the operations by \`make docs\`; do not edit. -->

| Plan | Credits a month | Requests a minute | Parcel-record group, a location | Waiting runs; waiting sites | Open field requests | Rows of exports a day | Watches |
|---|---|---|---|---|---|---|---|
${plans.join('\n')}

| Endpoint | Credits | |
|---|---|---|
${prices.join('\n')}

## What is charged

- A field costs ${FIELD_CREDITS} credit a location. The fields that read the parcel record are one group with one price a location, however many of them are asked for; \`/v1/meta/fields\` names them.
- An \`absent\` value is an answer and costs what a value costs. A \`failed\` field costs nothing, and the group costs nothing where every one of its fields failed.
- Values from the 24-hour response cache cost what freshly computed ones cost: the price is of the answer, and does not depend on who asked before.
- An address costs its geocode on top of the fields. The same account's repeat within 30 days is free in fetch and batch, and an address that occurs twice in a batch is charged once; \`POST /v1/geocode\` and \`POST /v1/lookup\` cost the same each time. An address that cannot be resolved costs nothing; a lookup that answers, also with \`clarify\` or \`no_match\`, costs its price.
- A location of a batch that fails as a whole costs nothing; nor does a replay under an \`Idempotency-Key\`, a quote, a refused request, or one whose client went away before it was answered (with a key the work goes on and is charged, because the key's next use gets its result).

## How

- Credits are reserved before work and settled after it, before the answer goes out. What is reserved counts as used, so requests at the same time never pass the allowance together. A reservation whose server died is given back a minute after the request's deadline.
- A request counts in the month (UTC) it came in. Allowances start anew on the 1st, 00:00 UTC; nothing is carried over.
- Past the allowance, or past the limit an account set itself, the answer is 402 \`credits_exhausted\` with \`Retry-After\` at the reset. A batch that fits in part runs the locations that fit, in their order.
- Requests are counted by clock minute and account over all servers of one state store: every request with a valid token counts, also quotes, replays and refused ones. \`PLAT_RATE_LIMIT=off\` lifts it.
- Answers say what is left. \`X-Service-Credits\` is what this request was charged, and \`X-Service-Credits-Remaining\` is what the plan leaves for the month; both come where credits are metered. \`RateLimit-Policy: "minute";q=60;w=60\` and \`RateLimit: "minute";r=59;t=30\` say the limit of requests, how many are left, and in how many seconds the window ends (the IETF's draft of RateLimit header fields). Without a token the window is a second, and the limit is that of the client's address. Suggestions, requests that take credentials back, and guests have limits of their own, with names of their own in both headers. A tool of /mcp whose answer comes as events says its price in \`_meta\` of the result.
- So many runs of an account may wait to be started, and so many sites to be screened. One more is refused with 429 \`rate_limited\`, at no charge; a replay never is, nor a site that is ready or waits already. Accounts have their turns one after the other, so that nobody waits for all of another account's ([jobs](jobs.md)).

## What survives

Credits, charges and stored results live in the state store. When an answer has gone out, its charge is committed: a server killed at any moment loses none. SQLite syncs its file at checkpoints, so power loss may take the last moments of charges with it; PostgreSQL (\`PLAT_STATE_URL\`) syncs each one.

An account keeps ${KEPT_BYTES / 1024 / 1024} MB of stored results, compressed: that is more than a million credits' worth in 24 hours. Past it the oldest are forgotten, and a retry under their key is executed and charged anew.
`;
}
