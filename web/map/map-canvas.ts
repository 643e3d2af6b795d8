import 'maplibre-gl/dist/maplibre-gl.css';
import {
  addProtocol,
  Map as Canvas,
  type GeoJSONSource,
  GeolocateControl,
  Marker,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
  type VectorTileSource,
} from 'maplibre-gl';
import { ask } from '../api/request.ts';
import { change, followAddress, type Place } from '../shell/address.ts';
import type { Theme } from '../shell/theme.ts';
import { followUnits, unitsNow } from '../values/units.ts';
import { Credits, creditsIn } from './credits.ts';
import { crosshairOn } from './crosshair.ts';
import { Draft } from './draft.ts';
import { endFirstMap } from './first-map.ts';
import { CONTOURS, groundTiles, RELIEF } from './ground.ts';
import { fetchHoldings, type Holding, holdsIn, outsideOf } from './holdings.ts';
import { Legend } from './legend.ts';
import { ALL_MATCHES, matchLayers, matchSource } from './match-layers.ts';
import { PALETTES } from './palette.ts';
import { tellRest } from './picture.ts';
import { type AreaGeometry, type Box, boxAround, eventsNow, followScene, sceneNow, takeFitting } from './scene.ts';
import { idAt, SHAPES, shapeFeatures } from './shape-layers.ts';
import { NAMED_PARCEL, OVERLAYS, type OverlayName, outlined, styleOf, type TileIndex, tileSources } from './style.ts';
import { TILE_SCHEME, TileLoader } from './tile-loader.ts';

/** What is to be said of a map: the release has no tiles, or some of them cannot be had. */
export type MapTrouble = 'bare' | 'tiles' | null;

/** A map on the page. */
export interface MapCanvas {
  /** Shows a place of the release. */
  goTo(holding: Holding): void;
  setTheme(theme: Theme): void;
  close(): void;
}

const fetchIndex = () => ask<TileIndex>({ method: 'GET', path: '/tiles.json', isPublic: true });

/** The view of the map in the URL: zoom, latitude, longitude. Null without one. */
function viewNow(): { readonly zoom: number; readonly center: [number, number] } | null {
  const text = new URLSearchParams(location.hash.slice(1)).get('map') ?? '';
  const [zoom, lat, lng] = text.split('/').map(Number);
  return [zoom, lat, lng].every(n => n !== undefined && Number.isFinite(n)) && text !== ''
    ? { zoom: zoom!, center: [lng!, lat!] }
    : null;
}

const featureOf = (geometry: AreaGeometry, id?: number) => ({ type: 'Feature', id, properties: {}, geometry });
const collection = (features: readonly object[]) => ({ type: 'FeatureCollection', features }) as never;

/** What a map shows, degrees. */
function boxOf(map: Canvas): Box {
  const bounds = map.getBounds();
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
}

/** Milliseconds between looks for tiles while the release has none. */
const BARE_MS = 10_000;

/**
 * Opens the map in an element and follows the scene.
 * @param workerUrl of the library's worker.
 * @param tell receives what is to be said of the map, each time it changes.
 * @param tellAway receives the places of the release while none of them is in view, else nothing.
 * @throws ApiError when its layers cannot be fetched.
 */
export async function openMap(
  container: HTMLElement,
  workerUrl: string,
  theme: Theme,
  tell: (trouble: MapTrouble) => void,
  tellAway: (holdings: readonly Holding[]) => void,
): Promise<MapCanvas> {
  setWorkerUrl(workerUrl);
  let index = await fetchIndex();
  let shown = theme;
  /** Reads the layers again, and shows those of another release. */
  const follow = async () => {
    const next = await fetchIndex();
    if (next.release !== index.release) {
      const isSame = JSON.stringify(next.vector_layers) === JSON.stringify(index.vector_layers);
      index = next;
      tellColors();
      if (!isSame) map.setStyle(styleOf(next, shown, unitsNow()));
      else {
        for (const { name, tiles } of tileSources(next)) map.getSource<VectorTileSource>(name)!.setTiles(tiles);
        for (const name of [RELIEF, CONTOURS] as const)
          map.getSource<VectorTileSource>(name)?.setTiles(groundTiles(name));
      }
    }
  };
  const isBare = () => index.vector_layers.length === 0;
  const loader = new TileLoader({
    release: () => index.release,
    follow,
    onTrouble: hasTrouble => tell(hasTrouble ? 'tiles' : null),
  });
  addProtocol(TILE_SCHEME, async ({ url }, { signal }) => ({ data: await loader.load(url, signal) }));
  const { marker: place } = sceneNow();
  const view = viewNow();
  const map = new Canvas({
    container,
    style: styleOf(index, theme, unitsNow()),
    ...(view ?? (place ? { center: [place.lng, place.lat], zoom: 16 } : {})),
    ...(!view && !place && index.bounds
      ? { bounds: index.bounds as [number, number, number, number], fitBoundsOptions: { padding: 24 } }
      : {}),
    maxZoom: 20,
    minZoom: 3,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: 0,
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  for (const unit of ['imperial', 'metric'] as const) map.addControl(new ScaleControl({ unit }), 'bottom-right');
  const credits = new Credits();
  map.addControl(credits, 'bottom-left');
  const nameSources = () => credits.show(creditsIn(index.credits, legend.drawn, boxOf(map), index));
  const legend = new Legend(nameSources);
  const tellColors = () => {
    legend.show(shown, index);
    nameSources();
  };
  map.addControl(legend, 'bottom-left');
  tellColors();
  map.on('zoomend', tellColors);
  map
    .getCanvas()
    .setAttribute('aria-label', 'Map: arrow keys move it, plus and minus zoom, Enter picks the place in the middle');
  const pick = (at: Place) => {
    if (!sceneNow().drawing && !draft.isOn) eventsNow().onClick?.(at);
  };
  const endCrosshair = crosshairOn(map, pick);
  const locate = new GeolocateControl({ showUserLocation: false, fitBoundsOptions: { maxZoom: 17 } });
  locate.on('geolocate', ({ coords }) => pick({ lat: coords.latitude, lng: coords.longitude }));
  map.addControl(locate, 'top-right');
  // The control names its button once the browser has said whether it may ask for the place.
  map.getContainer().querySelector('.maplibregl-ctrl-geolocate')?.setAttribute('aria-label', 'Find my location');

  let holdings: readonly Holding[] = [];
  const lookAround = () => {
    tellAway(holdings.length > 0 && !holdsIn(holdings, boxOf(map)) ? holdings : []);
    nameSources();
  };

  let marker: Marker | null = null;
  let chosen: number | null = null;
  const set = (name: OverlayName, features: readonly object[]) =>
    (map.getSource(name) as GeoJSONSource | undefined)?.setData(collection(features));
  const draft = new Draft(
    map,
    features => set('draft', features),
    () => legend.fold(),
  );

  let drawnTiles: string | null = null;
  /** Shows the tiles of all parcels that a search found. */
  const showAll = (path: string | null) => {
    const layers = matchLayers(PALETTES[shown]);
    for (const { id } of layers) if (map.getLayer(id)) map.removeLayer(id);
    if (map.getSource(ALL_MATCHES)) map.removeSource(ALL_MATCHES);
    if (path === null) return;
    map.addSource(ALL_MATCHES, matchSource(path));
    for (const layer of layers) map.addLayer(layer, 'matches');
  };
  let drawnApn: string | null = null;
  let fault: Marker | null = null;
  const drawn: Partial<Record<(typeof OVERLAYS)[number], unknown>> = {};
  const setOnce = (name: OverlayName, of: unknown, features: () => readonly object[]) => {
    if (drawn[name] === of) return;
    drawn[name] = of;
    set(name, features());
  };
  const draw = () => {
    const scene = sceneNow();
    if (scene.parcel && drawn.parcel !== scene.parcel) show(scene.parcel);
    setOnce('parcel', scene.parcel, () => (scene.parcel ? [featureOf(scene.parcel)] : []));
    setOnce('outside', holdings, () => (holdings.length > 0 ? [featureOf(outsideOf(holdings))] : []));
    const named = scene.parcel === null ? scene.apn : null;
    if (drawnApn !== named && map.getLayer(NAMED_PARCEL)) {
      drawnApn = named;
      map.setFilter(NAMED_PARCEL, outlined(named) as never);
    }
    setOnce('area', scene.area, () => (scene.area ? [featureOf(scene.area)] : []));
    if (drawnTiles !== scene.matchTiles && map.getLayer('matches')) {
      drawnTiles = scene.matchTiles;
      showAll(drawnTiles);
    }
    setOnce('shapes', scene.shapes, () => shapeFeatures(scene.shapes));
    setOnce('matches', scene.matches, () => scene.matches.map(({ id, geometry }) => featureOf(geometry, id)));
    if (chosen !== scene.highlighted && map.getSource('matches')) {
      if (chosen !== null) map.setFeatureState({ source: 'matches', id: chosen }, { chosen: false });
      chosen = scene.highlighted;
      if (chosen !== null) map.setFeatureState({ source: 'matches', id: chosen }, { chosen: true });
    }
    if (!scene.marker) {
      marker?.remove();
      marker = null;
    } else {
      const at: [number, number] = [scene.marker.lng, scene.marker.lat];
      if (marker) marker.setLngLat(at);
      else marker = new Marker({ color: PALETTES[shown].accent }).setLngLat(at).addTo(map);
      reveal(scene.marker);
    }
    fault?.remove();
    fault = null;
    if (scene.crossing) {
      const { lng, lat } = scene.crossing;
      fault = new Marker({ color: PALETTES[shown].area }).setLngLat([lng, lat]).addTo(map);
      fault.getElement().setAttribute('aria-label', 'The area crosses itself here');
    }
    draft.follow(scene);
    const box = takeFitting();
    if (box) map.fitBounds(box as [number, number, number, number], { padding: 48, maxZoom: 17, duration: 300 });
  };
  /** Zooms out until the whole parcel is visible. */
  function show(parcel: AreaGeometry): void {
    const box = boxAround([parcel]) as [number, number, number, number] | null;
    const bounds = map.getBounds();
    if (box && !(bounds.contains([box[0], box[1]]) && bounds.contains([box[2], box[3]])))
      map.fitBounds(box, { padding: 48, maxZoom: 18, duration: 300 });
  }
  let revealed: Place | null = null;
  /** Moves the map to a place that was chosen elsewhere. */
  function reveal(at: Place): void {
    if (revealed?.lat === at.lat && revealed.lng === at.lng) return;
    revealed = at;
    if (!map.getBounds().contains([at.lng, at.lat]) || map.getZoom() < 13)
      map.easeTo({ center: [at.lng, at.lat], zoom: Math.max(16, map.getZoom()), duration: 300 });
  }

  const redraw = () => {
    for (const name of OVERLAYS) delete drawn[name];
    chosen = null;
    drawnApn = null;
    drawnTiles = null;
    legend.apply();
    draw();
  };
  map.on('style.load', redraw);
  // The ground comes when the rest stands: what somebody looks for first is not what lies below.
  map.once('idle', () => {
    legend.endWaiting();
    endFirstMap();
  });
  const unfollowUnits = followUnits(() => {
    map.getSource<VectorTileSource>(CONTOURS)?.setTiles(groundTiles(CONTOURS));
  });
  const endRest = tellRest(map);
  // Tiles that are cut anew by another filter are drawn with the next frame, and nothing else asks for one.
  map.on('sourcedata', ({ tile }) => tile && map.triggerRepaint());
  const unfollow = followScene(() => map.getStyle() && draw());
  map.on('click', event => {
    if (sceneNow().drawing || draft.isOn) return;
    const { onMatch, onShape } = eventsNow();
    const match = idAt(map, event.point, ['matches']);
    const shape = onShape ? idAt(map, event.point, SHAPES) : undefined;
    if (match !== undefined) onMatch?.(Number(match));
    else if (shape !== undefined) onShape?.(Number(shape));
    else pick({ lat: event.lngLat.lat, lng: event.lngLat.lng });
  });
  /** The view of the map as the URL has it. */
  const viewText = () => {
    const { lat, lng } = map.getCenter();
    return `${Math.round(map.getZoom() * 100) / 100}/${lat.toFixed(5)}/${lng.toFixed(5)}`;
  };
  map.on('moveend', () => {
    change({ map: viewText() }, true);
    lookAround();
  });
  // A link, the way back or another address in an open tab.
  const unfollowAddress = followAddress(({ state: { map: text } }) => {
    const next = viewNow();
    if (next && text !== viewText() && !map.isMoving()) map.jumpTo(next);
  });
  fetchHoldings().then(
    held => {
      holdings = held;
      if (map.getSource('outside')) draw();
      lookAround();
    },
    () => {},
  );
  if (isBare()) tell('bare');
  const looks = setInterval(() => {
    if (isBare() && document.visibilityState === 'visible')
      follow().then(
        () => isBare() || tell(null),
        () => {},
      );
  }, BARE_MS);
  const sized = new ResizeObserver(() => map.resize());
  sized.observe(container);
  return {
    setTheme(next) {
      if (next === shown) return;
      shown = next;
      tellColors();
      marker?.remove();
      marker = null;
      map.setStyle(styleOf(index, next, unitsNow()));
    },
    goTo({ box }) {
      map.fitBounds(box as [number, number, number, number], { padding: 24, duration: 300 });
    },
    close() {
      endRest();
      clearInterval(looks);
      endCrosshair();
      unfollowAddress();
      unfollowUnits();
      sized.disconnect();
      unfollow();
      draft.end();
      map.remove();
    },
  };
}
