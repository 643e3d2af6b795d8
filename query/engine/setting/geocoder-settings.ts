import { choice, hiddenText, integer, url } from './setting.ts';

/** Settings of what resolves addresses. */
export const GEOCODER_SETTINGS = {
  geocoder: choice(
    'PLAT_GEOCODER',
    'local',
    ['local', 'http'],
    'What resolves addresses: the layers of the release, or a provider over HTTP (geocode-providers.md).',
  ),
  geocodeUrl: url(
    'PLAT_GEOCODE_URL',
    '',
    'Address of the primary provider, without query; only with PLAT_GEOCODER=http.',
  ),
  geocodeKey: hiddenText('PLAT_GEOCODE_KEY', 'Credential of the primary provider, sent as its parameter `api_key`.'),
  geocodeFallback: choice(
    'PLAT_GEOCODE_FALLBACK',
    'on',
    ['on', 'off'],
    'Whether the fallback answers when the primary provider does not in time.',
  ),
  geocodeFallbackUrl: url(
    'PLAT_GEOCODE_FALLBACK_URL',
    'https://geocoding.geo.census.gov/geocoder/locations/onelineaddress',
    'Address of the fallback, which speaks the protocol of the US Census geocoder.',
  ),
  geocodeBudget: integer(
    'PLAT_GEOCODE_BUDGET',
    0,
    0,
    1_000_000_000,
    'Address lookups a calendar month (UTC) over all servers of the state store; then geocode_budget_exhausted. 0 is no ceiling.',
  ),
  geocodeConcurrency: integer(
    'PLAT_GEOCODE_CONCURRENCY',
    64,
    1,
    100_000,
    'Addresses a server looks up at once. As many wait before geocode_busy is answered.',
  ),
} as const;
