import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { type AreaGeometry, boxAround, fitOnMap, listenToShapes, type MapShape, showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed, Waiting } from '../shell/states.tsx';
import { useTheme } from '../shell/theme.ts';
import { dateWords, lackWords, pageWords } from '../values/page-words.ts';
import { capital } from '../verdict/finding.ts';
import { baseFloodWords, buildingName, floodLabel, floodWords, kindOf } from './building-words.ts';
import type { ParcelQuestion } from './parcel-question.ts';

type Told = AnswerOf<'structures'>;
type Building = Told['structures'][number];

/** Whose maps a building is judged by, each once. */
function sourcesOf({ special_flood_hazard_area: flood, lowest_ground: ground, ...building }: Building) {
  const cited = [
    { what: 'footprint', ...building },
    { what: 'flood map', ...flood },
    { what: 'terrain', ...ground },
  ];
  return cited.flatMap(({ what, source_url: url, dataset_vintage: vintage }) =>
    url !== null && /^https?:\/\//.test(url) ? [{ what, url, vintage }] : [],
  );
}

/** What is told of one building. */
function BuildingRow({
  building,
  number,
  isChosen,
  color,
  onChoose,
}: {
  readonly building: Building;
  readonly number: number;
  readonly isChosen: boolean;
  readonly color: string;
  readonly onChoose: () => void;
}) {
  return (
    <li class="piece">
      <span class="row between">
        <button type="button" class="link" aria-pressed={isChosen} onClick={onChoose}>
          <span class="swatch" style={{ background: color }} /> {buildingName(building, number)}
        </button>
        <span class={`outcome is-${kindOf(building)}`}>{floodLabel(building)}</span>
      </span>
      <span>{floodWords(building)}</span>
      <span>{baseFloodWords(building)}</span>
      <span class="note">
        {sourcesOf(building).map(({ what, url, vintage }, i) => (
          <span key={what}>
            {i > 0 && ' · '}
            <a href={url} target="_blank" rel="noreferrer noopener">
              {what}
              {vintage === null ? '' : ` of ${dateWords(vintage)}`}
            </a>
          </span>
        ))}
      </span>
    </li>
  );
}

/** What the flood map says of each building on a parcel: lenders and insurers judge the structure, not the land. */
export function Buildings({ parcelId }: ParcelQuestion) {
  const theme = useTheme();
  const [chosen, setChosen] = useState<number | null>(null);
  const request: ApiRequest = { method: 'POST', path: '/v1/structures', body: { parcel_id: parcelId } };
  const [answer, again] = useAnswer<Told>(request);
  const told = answer.is === 'here' ? answer.value : null;
  const { warn, good, plain } = TONES[theme];
  const colorOf = (building: Building) => ({ yes: warn, no: good, unknown: plain, line: plain })[kindOf(building)];
  useEffect(() => {
    if (!told) return;
    showOnMap({
      shapes: told.structures.map(
        (building, id): MapShape => ({
          ...{ id, geometry: building.geometry as AreaGeometry, color: colorOf(building) },
          opacity: id === chosen ? 0.9 : 0.5,
        }),
      ),
    });
    return listenToShapes(setChosen);
  }, [told, chosen, theme]);
  const choose = (id: number, building: Building) => {
    setChosen(id);
    const box = boxAround([building.geometry as AreaGeometry]);
    if (box) fitOnMap(box);
  };
  const unknown = told && told.count === null ? lackWords(told.footprints.reason ?? '') : '';
  return (
    <>
      <p class="note">Lenders and insurers judge the building, not the land: each footprint against the flood map.</p>
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {answer.is === 'waiting' && <Waiting what="Buildings are being looked up" />}
      {told && (
        <>
          <p role="status">
            {told.count === null
              ? 'Which buildings stand here is not known'
              : told.count === 0
                ? 'No building is mapped on this parcel'
                : `${told.count.toLocaleString('en-US')} ${told.count === 1 ? 'building is' : 'buildings are'} mapped on this parcel`}
            {unknown === '' ? '.' : `: ${unknown}`}
          </p>
          {told.count !== null &&
            told.warnings.map(pageWords).map(words => words && <p class="note">{capital(words)}</p>)}
          <ol class="pieces">
            {told.structures.map((building, id) => (
              <BuildingRow
                key={id}
                building={building}
                number={id + 1}
                isChosen={id === chosen}
                color={colorOf(building)}
                onChoose={() => choose(id, building)}
              />
            ))}
          </ol>
        </>
      )}
      <RequestPanel request={request} />
    </>
  );
}
