import { useId, useState } from 'preact/hooks';
import { AccumulationForm } from '../accumulation/accumulation-form.tsx';
import { type Portfolio, portfolioOf } from '../accumulation/portfolio.ts';
import { type Near, REACHES } from '../area/near.ts';
import type { AreaGeometry } from '../map/scene.ts';
import { Waiting } from '../shell/states.tsx';
import { useUnits } from '../values/units.ts';
import { areaOfAll, insideOf } from './area.ts';
import type { FileGround } from './ground.ts';
import { areaOfPoints, MOST_POINTS } from './points.ts';
import { readFiles } from './read.ts';

const ACCEPTED = '.geojson,.json,.kml,.kmz,.csv,.tsv,.zip,.shp,.prj,.dbf,.shx';
const ALL = 'all';
/** Areas of a file that can be chosen one by one. */
const MOST_LISTED = 500;

const counted = (count: number, one: string) => `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;

/** What a file holds, in words. */
function contentWords({ areas, lines, points, without }: FileGround): string {
  const held = [
    areas.length > 0 && counted(areas.length, 'area'),
    lines.length > 0 && counted(lines.length, 'line'),
    points.length > 0 && counted(points.length, 'point'),
  ].filter(Boolean);
  const lost = without === 0 ? '' : ` ${counted(without, 'entry').replace('entrys', 'entries')} without a place.`;
  return `It holds ${held.join(', ')}.${lost}`;
}

/** Takes an area, points or what is around them from a file, which stays in the browser. */
export function FileForm({
  onArea,
  onNear,
  onCancel,
}: {
  readonly onArea: (area: AreaGeometry) => void;
  readonly onNear: (near: Near) => void;
  readonly onCancel: () => void;
}) {
  const id = useId();
  const units = useUnits();
  const [ground, setGround] = useState<FileGround | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [portfolio, setPortfolio] = useState<Portfolio | null>(null);
  const [reading, setReading] = useState(false);
  const [which, setWhich] = useState(ALL);
  const [far, setFar] = useState(units === 'us' ? '500' : '150');
  const read = (files: readonly File[]) => {
    setProblem(null);
    setGround(null);
    setWhich(ALL);
    setPortfolio(null);
    setReading(true);
    const [first, second] = files;
    const isTable = first && !second && /\.(?:csv|tsv|txt)$/i.test(first.name);
    readFiles(files)
      .then(async held => {
        setPortfolio(isTable ? portfolioOf(await first.text()) : null);
        setGround(held);
      })
      .catch((error: Error) => setProblem(error.message))
      .finally(() => setReading(false));
  };
  const areas = ground ? (which === ALL ? ground.areas : ground.areas.slice(Number(which), Number(which) + 1)) : [];
  const points = ground ? (ground.points.length > 0 ? ground.points : areas.map(insideOf)) : [];
  const asPoints = () => {
    if (points.length > MOST_POINTS)
      setProblem(
        `It holds ${counted(points.length, 'point')}, and one search takes ${MOST_POINTS.toLocaleString('en-US')}. Split the file.`,
      );
    else onArea(areaOfPoints(points));
  };
  const metres = Number(far.replaceAll(',', '')) * REACHES[units === 'us' ? 'feet' : 'meters'];
  const around = () => {
    if (!(metres >= 1)) setProblem('Give a number above 0.');
    else if (areas.length > 0) onNear({ geometry: areaOfAll(areas), within_m: Math.round(metres * 10) / 10 });
    else
      onNear({
        geometry: { type: 'MultiLineString', coordinates: ground!.lines },
        within_m: Math.round(metres * 10) / 10,
      });
  };
  return (
    <>
      <label class="field" for={`${id}-file`}>
        GeoJSON, KML, CSV, or a shapefile as a zip or with all its files
        <input
          id={`${id}-file`}
          type="file"
          multiple
          accept={ACCEPTED}
          onChange={event => read([...(event.currentTarget.files ?? [])])}
        />
      </label>
      <p class="note">The file stays in this browser: only the area that you take from it is asked for.</p>
      {reading && <Waiting what="The file is being read" />}
      {problem && (
        <p class="warn" role="alert">
          {problem}
        </p>
      )}
      {ground && <p role="status">{contentWords(ground)}</p>}
      {ground && ground.areas.length > 1 && (
        <label class="field">
          Of its areas
          <select value={which} onChange={event => setWhich(event.currentTarget.value)}>
            <option value={ALL}>All {ground.areas.length.toLocaleString('en-US')}</option>
            {ground.areas.slice(0, MOST_LISTED).map(({ name }, i) => (
              <option key={i} value={String(i)}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {ground && (areas.length > 0 || ground.lines.length > 0) && (
        <div class="row near-row">
          <label for={`${id}-far`}>{ground.lines.length > 0 ? 'Along its lines, within' : 'Within'}</label>
          <input
            id={`${id}-far`}
            class="short"
            inputMode="decimal"
            value={far}
            onInput={event => setFar(event.currentTarget.value)}
          />
          <span>{units === 'us' ? 'feet' : 'meters'} of it</span>
          <button type="button" onClick={around}>
            Take it
          </button>
        </div>
      )}
      <div class="row end">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        {points.length > 0 && (
          <button type="button" class={areas.length > 0 ? '' : 'primary'} onClick={asPoints}>
            {areas.length > 0 && ground!.points.length === 0
              ? 'The parcels at their middles'
              : 'The parcels at its points'}
          </button>
        )}
        {areas.length > 0 && (
          <button type="button" class="primary" onClick={() => onArea(areaOfAll(areas))}>
            Use as an area
          </button>
        )}
      </div>
      {ground && portfolio && <AccumulationForm portfolio={portfolio} onBegun={onCancel} />}
    </>
  );
}
