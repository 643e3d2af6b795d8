import { type Calculations, useCatalog } from '../api/catalog.ts';

const MINUTE = 60;

/** Time as people say it. */
const timeText = (seconds: number): string =>
  seconds < 2 * MINUTE ? `about ${seconds} seconds` : `about ${Math.round(seconds / MINUTE)} minutes`;

/** Why some fields find nothing yet, in one sentence. */
function calculationsText({ fields, done, total, seconds_left }: Calculations): string {
  const what = `${fields.length} fields cannot be searched yet: their values for the parcels are not calculated`;
  if (done === null || total === null) return `${what}.`;
  const left = seconds_left === null ? '' : `, ${timeText(seconds_left)} left when this page was opened`;
  return `${what}. ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} parcels are done${left}.`;
}

/** Says above a search what it cannot be asked yet; nothing where all is calculated. */
export function CalculationsNote() {
  const calculations = useCatalog()?.calculations ?? null;
  if (calculations === null) return null;
  return (
    <p class="note" role="status">
      {calculationsText(calculations)}
    </p>
  );
}
